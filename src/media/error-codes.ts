/** The codes of an error of a request, of its causes and of the errors that it gathers. */
export function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code, cause } = error as NodeJS.ErrnoException
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(cause), ...inner]
}
