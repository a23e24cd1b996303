/** Small pieces of markdown that pages are made of. */

/** A table. Cells are markdown; what would end a cell or a line is written so that it does not. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()
}

export const code = (text: string | number) => `\`${text}\``
export const codes = (texts: readonly (string | number)[]) => texts.map(code).join(', ')

/** A fenced block of JSON. */
export function jsonBlock(value: unknown): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}

/** `10,000` of 10000. */
export const number = (value: number) => value.toLocaleString('en-US')

/** The anchor of a heading, as git hosts make it too. `text` is the heading without its markup. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}
