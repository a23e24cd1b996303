export interface Example {
  script: string
  /** The block that follows at once; null when there is none. */
  shown: { kind: 'json' | 'http'; text: string } | null
  /** Where the example begins on its page. */
  line: number
}

/** The examples of a page: blocks of shell with a curl in them, each with the answer that is shown below it. */
export function examplesOf(markdown: string): Example[] {
  const fences = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap((fence, index) => {
    const [whole, language, script = ''] = fence
    if (language !== 'sh' || !script.includes('curl ')) return []
    const next = fences[index + 1]
    const between = next ? markdown.slice(fence.index + whole.length, next.index) : 'nothing'
    const [, kind, text = ''] = next && between.trim() === '' ? next : []
    const shown = kind === 'json' || kind === 'http' ? ({ kind, text } as const) : null
    return [{ script: script.trim(), shown, line: markdown.slice(0, fence.index).split('\n').length }]
  })
}
