/** A field of a form that is not filled in as it must be. */
export class WrongField extends Error {
  readonly field: string;
  constructor(field: string, problem: string) {
    super(problem);
    this.field = field;
  }
}

/** What is wrong with a form, in sentences. */
export interface Problems {
  /** About the whole form. */
  detail?: string;
  /** By the names of its fields. */
  fields: Partial<Record<string, string>>;
}

/** After the next render: on the first wrong field, or on the message. What is folded is opened. */
export function focusOnProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const wrong =
      form.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form.querySelector<HTMLElement>('[role="alert"]');
    const folded = wrong?.closest("details.options");
    if (folded instanceof HTMLDetailsElement) folded.open = true;
    wrong?.focus();
  });
}
