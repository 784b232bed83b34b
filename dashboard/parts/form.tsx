import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../state.ts";
import { words } from "../words.ts";
import "../keyboard/keep_focus.ts";
import { Icon } from "./icon.tsx";

/**
 * A dialog of the browser. The focus stays inside it, and goes back when it closes (see `keep_focus.ts`). Escape closes
 * it. A click beside it closes it until somebody types or chooses something in it, because such a click is often a slip.
 * If it `stays`, such a click does nothing.
 */
export function Dialog(
  { title, onClose, children, wide, stays }: {
    title: string;
    onClose: () => void;
    children: ComponentChildren;
    wide?: boolean;
    stays?: boolean;
  },
) {
  const ref = useRef<HTMLDialogElement>(null);
  const holds = useRef(stays);
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
          <button type="button" class="icon-button" aria-label={words.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A control with a label, and a hint or its error. */
export function Field(
  { label, hint, error, children }: {
    label: string;
    hint?: ComponentChildren;
    error?: string;
    children: JSX.Element;
  },
) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint && !error && <span class="field-hint">{hint}</span>}
      {error && <span class="field-error" role="alert">{error}</span>}
    </label>
  );
}

/**
 * A form whose submission may fail: it shows the failure, and ignores its button meanwhile. The button is not `disabled`
 * for that time, or it would lose the focus.
 */
export function useSubmit(
  run: (form: FormData) => Promise<unknown>,
): { error: string | undefined; busy: boolean; submit: (event: SubmitEvent) => void } {
  const [error, setError] = useState<string>();
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
      setError(undefined);
    } catch (failed) {
      setError(messageOf(failed as Error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { error, busy, submit: (event) => void submit(event) };
}

/** The two buttons at the end of a form. */
export function FormFoot(
  { onClose, label, busy, danger, disabled }: {
    onClose: () => void;
    label: string;
    busy?: boolean;
    danger?: boolean;
    disabled?: boolean;
  },
) {
  return (
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
  const { error, busy, submit } = useSubmit(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{text}</p>
        {error && <p class="field-error" role="alert">{error}</p>}
        <FormFoot onClose={onClose} label={label} busy={busy} danger />
      </form>
    </Dialog>
  );
}
