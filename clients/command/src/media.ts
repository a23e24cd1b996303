import type { Almanac, MediaLibraryItem } from '../../typescript/src/index.ts'
import { findBrand } from './brands.ts'
import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { allowOptions, type Given } from './options.ts'
import { json } from './post.ts'
import { bringMedia } from './posts.ts'
import { plain } from './show.ts'

/** `media FILE…`: brings files or addresses into the media library and prints their ids. */
export async function media(io: Io, almanac: Almanac, given: Given): Promise<Exit> {
  allowOptions(given, 'media', ['brand', 'alt'])
  const { options, words } = given
  if (words.length === 0) throw new WrongUse('Name a file or an address.')
  const brand = await findBrand(almanac, options.brand)
  const items: MediaLibraryItem[] = []
  for (const [index, source] of words.entries()) {
    const altText = options.alt?.[index]
    const item = await bringMedia(io, almanac, { socialSetId: brand.id, source, altText })
    items.push(item)
    if (!options.json) io.write(`${item.id}  ${item.type}  ${item.width}×${item.height}  ${plain(item.name)}\n`)
  }
  if (options.json) io.write(json(items))
  return EXIT.done
}
