// Writes the words by which people find emojis: `node scripts/make-emoji-words.ts FOLDER`, where FOLDER is an unpacked
// `emojibase-data` (npm; the names and keywords of Unicode's CLDR), which is too large to be installed for them. For each language that
// the dashboard has words in, a line for each emoji of the picker: the emoji, its name, and other words for it.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EMOJI_KINDS, emojisOf } from '../web/src/post-set/emojis.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of emojibase-data.')
const target = join(import.meta.dirname, '../web/src/post-set/emoji-words')
const bare = (emoji: string) => emoji.replaceAll('\ufe0f', '')

for (const language of ['en', 'de']) {
  const entries: { unicode: string; label: string; tags?: string[] }[] = JSON.parse(
    await readFile(join(folder, language, 'compact.json'), 'utf8'),
  )
  const known = new Map(entries.map((entry) => [bare(entry.unicode), entry]))
  const lines = new Set(EMOJI_KINDS.flatMap(emojisOf)).values().flatMap((emoji) => {
    const entry = known.get(bare(emoji))
    if (!entry) return []
    const others = (entry.tags ?? []).filter((tag) => !entry.label.toLowerCase().includes(tag))
    return [[emoji, entry.label, others.join(', ')].join('\t').trimEnd()]
  })
  await writeFile(join(target, `${language}.txt`), `${[...lines].join('\n')}\n`)
}
