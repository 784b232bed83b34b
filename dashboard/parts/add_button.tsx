import { may } from "../state.ts";
import { Icon } from "./icon.tsx";

/** The button that adds something on a page. It is not shown to a person who may not do that. */
export function AddButton({ operation, label, onClick, disabled }: {
  operation: string;
  label: string;
  onClick: () => void;
  disabled?: boolean;
}) {
  if (!may(operation)) return null;
  return (
    <button type="button" class="button primary" disabled={disabled} onClick={onClick}>
      <Icon name="plus" size={16} />
      {label}
    </button>
  );
}
