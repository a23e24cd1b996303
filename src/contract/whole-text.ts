interface Texts {
  caption: string
  thread?: readonly { caption: string }[] | null
  fields?: Readonly<Record<string, unknown>>
}

/** What a post says, its further parts and first comment included: what is searched, shown and compared wherever a caption is. */
export function wholeText({ caption, thread = [], fields = {} }: Texts): string {
  const options = fields.options as Readonly<Record<string, unknown>> | null | undefined
  const comment = fields.firstComment ?? options?.firstComment
  const behind = typeof comment === 'string' && comment !== '' ? [comment] : []
  return [caption, ...(thread ?? []).map((part) => part.caption), ...behind].join('\n\n')
}
