import { join } from 'node:path'
import { makeConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import babel from '@rolldown/plugin-babel'

/** What macros need of it: `lingui.config.js` is about catalogs, and asks for what only developers have. */
const linguiConfig = makeConfig(
  {
    locales: ['en'],
    // What people wrote is no markup.
    runtimeConfigModule: { Trans: [join(import.meta.dirname, 'src/language/trans.ts'), 'Trans'] },
  },
  { skipValidation: true },
)

/** Makes what `t`, `msg`, `Trans` and `Plural` say into messages of the catalog: for the build and for tests of `web/src`. */
export function messageMacros() {
  return babel({
    include: /\/web\/src\/.*\.tsx?$/,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    // The English stays in the code, beside the id that other languages find their words by.
    plugins: [['@lingui/babel-plugin-lingui-macro', { descriptorFields: 'message', linguiConfig }], compiledMessages],
  })
}

/** What this needs to know of Babel's nodes. */
interface Descriptor {
  leadingComments?: { value: string }[] | null
  properties: { key?: { name?: string }; value?: { type: string; value?: unknown } }[]
}

/** Reads the English of each message here, so that no browser loads the reader of messages. */
function compiledMessages({ types }: { types: { valueToNode: (value: unknown) => { type: string } } }) {
  return {
    visitor: {
      ObjectExpression({ node }: { node: Descriptor }) {
        if (!node.leadingComments?.some(({ value }) => value.includes('i18n'))) return
        for (const property of node.properties) {
          const message = property.value?.value
          if (property.key?.name !== 'message' || typeof message !== 'string') continue
          property.value = types.valueToNode(compileMessage(message))
        }
      },
    },
  }
}
