import { Fragment } from "preact";
import { words } from "../words.ts";
import { Dialog } from "./form.tsx";

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

/** "g i" are two keys after each other. */
export function Keys({ text }: { text: string }) {
  return (
    <>
      {text.split(" ").map((key, n) => (
        <Fragment key={n}>
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </>
  );
}
