interface Place {
  /** What `almanac-client` is imported from. */
  client: string
  url: string
  key: string
}

/** All examples of the README of the client as one program, for a service that is there. */
export function readmeProgram(markdown: string, { client, url, key }: Place): string {
  const blocks = [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const imports = blocks.flatMap((code) => [...code.matchAll(/^import \{ (.*) \} from 'almanac-client'$/gm)])
  const names = new Set([
    ...imports.flatMap(([, list = '']) => list.split(', ')),
    // Named in the text below their examples.
    ...['handleEvent', 'unwrapWebhook', 'WebhookSignatureError'],
  ])
  const code = blocks.join('\n').replaceAll(/^import .*\n/gm, '')
  return `import { ${[...names].join(', ')} } from '${client}'\n${code}`
    .replace("'https://almanac.example.com'", `'${url}'`)
    .replace("'alm_…'", `'${key}'`)
}
