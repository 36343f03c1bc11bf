interface Option {
  value: string;
  label: string;
}

/** The options of a filter: any, then each value. */
export const anyOf = <Value extends string>(
  any: string,
  values: readonly Value[],
  label: (value: Value) => string,
): Option[] => [{ value: '', label: any }, ...values.map((value) => ({ value, label: label(value) }))];
