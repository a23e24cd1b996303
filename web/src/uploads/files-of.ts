/** The files that were dropped or pasted; none when it was something else, such as a text. */
export function filesOf(transfer: DataTransfer | null): File[] {
  const files = [...(transfer?.files ?? [])]
  // A picture on the clipboard has no name of its own.
  return files.map((file, index) =>
    /^image\.png$/i.test(file.name) ? new File([file], pastedName(index), { type: file.type }) : file,
  )
}

/** Whether what is dragged holds files: more is not known before it is dropped. */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false
}

function pastedName(index: number): string {
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  return `pasted ${time}${index === 0 ? '' : ` ${index + 1}`}.png`
}
