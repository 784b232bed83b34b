import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../client.ts";
import { messageOf } from "../state.ts";
import { words } from "../words.ts";
import "../keyboard/keep_focus.ts";
import { useKeptForm } from "./kept.ts";
import { IconButton } from "./small.tsx";

/**
 * A dialog of the browser. The focus stays inside it, and goes back when it closes (see `keep_focus.ts`). Escape closes
 * it. A click beside it closes it until somebody types or chooses something in it, because such a click is often a slip.
 * If it `stays`, such a click does nothing.
 */
export function Dialog(
  { title, onClose, children, wide, stays, keepAs }: {
    title: string;
    onClose: () => void;
    children: ComponentChildren;
    wide?: boolean;
    stays?: boolean;
    /** The name under which its form is kept if the session ends. */
    keepAs?: string;
  },
) {
  const ref = useRef<HTMLDialogElement>(null);
  const holds = useRef(stays);
  useKeptForm(keepAs, ref);
  useEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    // The browser would focus the close button, because it comes first.
    if (!dialog.querySelector("[autofocus]")) {
      dialog.querySelector<HTMLElement>("form :is(input, select, textarea)")?.focus();
    }
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? "wide" : ""}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onInput={() => holds.current = true}
      onMouseDown={(event) => {
        if (event.target === ref.current && !holds.current) onClose();
      }}
    >
      <div class="dialog-inner">
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" size={18} label={words.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A control with a label, and a hint or its error, which describes it. */
export function Field(
  { label, hint, error, children }: {
    label: string;
    hint?: ComponentChildren;
    error?: string;
    children: JSX.Element;
  },
) {
  const id = useId();
  const ref = useRef<HTMLLabelElement>(null);
  const isWrong = error !== undefined, isDescribed = isWrong || hint !== undefined;
  useLayoutEffect(() => {
    // The control may be a part of another component.
    const control = ref.current!.control!;
    if (isWrong) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
    if (isDescribed) control.setAttribute("aria-describedby", id);
    else control.removeAttribute("aria-describedby");
  }, [id, isWrong, isDescribed]);
  return (
    <div class="field">
      <label ref={ref}>
        <span class="field-label">{label}</span>
        {children}
      </label>
      {isDescribed && !isWrong && <p id={id} class="field-hint">{hint}</p>}
      {isWrong && <p id={id} class="field-error" role="alert">{error}</p>}
    </div>
  );
}

/** What is wrong with each field of a form; `form`: with no field of it. */
export type Errors<Field extends string> = { [name in Field | "form"]?: string };

/** The texts of a failure. A refusal that names no field is about the first one. */
function errorsOf<Field extends string>(failed: Error, fields: readonly Field[]): Errors<Field> {
  const errors: Errors<Field> = {};
  if (!(failed instanceof ApiError)) return { form: messageOf(failed) } as Errors<Field>;
  for (const [path, reason] of Object.entries(failed.fieldErrors)) {
    const [name, entry] = path.split(".");
    const field = fields.find((each) => each === name) ?? "form";
    errors[field] ??= words.problem.field(reason, entry);
  }
  if (Object.keys(errors).length > 0) return errors;
  const isRefused = [400, 401, 409, 422].includes(failed.status);
  const field = isRefused && fields.length > 0 ? fields[0] : "form";
  errors[field] = messageOf(failed);
  return errors;
}

/**
 * A form whose submission may fail: it shows the failure, and ignores its button meanwhile. The button is not `disabled`
 * for that time, or it would lose the focus. `fields`: the parameters of the request that have a field of their own.
 */
export function useSubmit<Field extends string = never>(
  run: (form: FormData) => Promise<unknown>,
  fields: readonly Field[] = [],
): { errors: Errors<Field>; busy: boolean; submit: (event: SubmitEvent) => void } {
  const [errors, setErrors] = useState<Errors<Field>>({});
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await run(form);
      setErrors({});
    } catch (failed) {
      setErrors(errorsOf(failed as Error, fields));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { errors, busy, submit: (event) => void submit(event) };
}

/** The end of a form: an error that is about none of its fields, and two buttons. */
export function FormFoot(
  { onClose, label, error, busy, danger, disabled }: {
    onClose: () => void;
    label: string;
    error?: string;
    busy?: boolean;
    danger?: boolean;
    disabled?: boolean;
  },
) {
  return (
    <>
      {error && <p class="field-error" role="alert">{error}</p>}
      <footer>
        <button type="button" class="button" onClick={onClose}>{words.cancel}</button>
        <button
          type="submit"
          class={`button ${danger ? "danger" : "primary"}`}
          aria-disabled={busy}
          disabled={disabled}
        >
          {label}
        </button>
      </footer>
    </>
  );
}

/** A question before an action that cannot be undone. */
export function Confirm(
  { title, text, label, onConfirm, onClose }: {
    title: string;
    text: ComponentChildren;
    label: string;
    onConfirm: () => Promise<unknown>;
    onClose: () => void;
  },
) {
  const { errors, busy, submit } = useSubmit(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{text}</p>
        <FormFoot onClose={onClose} label={label} error={errors.form} busy={busy} danger />
      </form>
    </Dialog>
  );
}
