import { newId } from '#domain'
import type { MediaStore, Rendition } from '#media'
import { type Database, findRendition, insertRendition, type MediaRendition, replaceRendition } from '#persistence'

interface KeptCopiesDeps {
  db: Database
  store: MediaStore
}

/**
 * Copies of media items in other forms, each made once and kept: all processes get the same bytes for the same form. One whose file is
 * gone is made again. One is made at a time in this process; of those that several processes make at once the first one is kept.
 *
 * @param name of the form
 */
export function keptCopies(deps: KeptCopiesDeps) {
  const making = new Map<string, Promise<MediaRendition>>()
  return (item: { id: string }, name: string, make: () => Promise<Rendition>): Promise<MediaRendition> => {
    const key = `${item.id} ${name}`
    const running = making.get(key)
    if (running) return running
    const made = findOrMake(deps, item, name, make).finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
}

async function findOrMake(
  { db, store }: KeptCopiesDeps,
  item: { id: string },
  name: string,
  make: () => Promise<Rendition>,
): Promise<MediaRendition> {
  const kept = await findRendition(db, item.id, name)
  if (kept && (await store.stat(kept.storageKey)) !== null) return kept
  const { key, facts } = await make()
  if (kept) {
    const again: MediaRendition = { ...kept, storageKey: key, facts }
    if (await replaceRendition(db, again, kept.storageKey)) return again
  }
  const made: MediaRendition = { id: newId(), storageKey: key, facts }
  if (await insertRendition(db, { ...made, mediaId: item.id, spec: name })) return made
  await store.remove(key)
  const others = await findRendition(db, item.id, name)
  if (!others) throw new Error('A rendition is neither ours nor of another process.')
  return others
}
