import { words } from "../words.ts";
import { Dialog } from "./form.tsx";
import { Keys } from "./small.tsx";

/** Every shortcut. */
export function KeyTable({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keys.title} onClose={onClose} wide>
      <div class="shortcuts">
        {words.keys.groups.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(([combinations, meaning]) => (
                <div key={meaning}>
                  <dt>
                    <Keys text={combinations} />
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
