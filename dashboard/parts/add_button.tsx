import { may } from "../state.ts";
import { Icon } from "./icon.tsx";

/** A button of a page that adds something. Only a person who may do this sees it. */
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
