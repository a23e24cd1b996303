import { MOST_READ, type PictureFile } from './strip-parts.ts'

/** What is read of a picture's metadata before they go. */
export interface Said {
  /** As Exif counts it: 1 is upright. */
  orientation: number
  /** A name of `SOURCE_TYPES`; null where the file says none. */
  sourceType: string | null
}

/**
 * How a picture came to be, in the words of the IPTC (https://cv.iptc.org/newscodes/digitalsourcetype/, read 2026-11-29). By it
 * networks label pictures that were made by an AI.
 */
const SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'algorithmicMedia',
  'algorithmicallyEnhanced',
  'virtualRecording',
  'dataDrivenMedia',
  'digitalArt',
  'digitalCreation',
  'composite',
  'compositeCapture',
  'humanEdits',
  'minorHumanEdits',
  'digitalCapture',
  'computationalCapture',
  'negativeFilm',
  'positiveFilm',
  'print',
  'screenCapture',
  'softwareImage',
]
/** What C2PA says of a picture it may say of what it was made of: only the work of an AI is believed. */
const OF_AI = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia']
const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const NAMED = 'cv.iptc.org/newscodes/digitalsourcetype/'

export interface Listener {
  said: Said
  /** Exif: a TIFF structure, with or without the name in front. */
  exif(bytes: Buffer): void
  xmp(bytes: Buffer): void
  /** JUMBF of C2PA, from where to where. Of a long one the beginning is read. */
  c2pa(file: PictureFile, start: number, end: number): Promise<void>
}

export function createListener(): Listener {
  const said: Said = { orientation: 1, sourceType: null }
  /** XMP is what the picture says of itself. */
  let isSure = false
  return {
    said,
    exif(bytes) {
      said.orientation = readOrientation(bytes) ?? said.orientation
    },
    xmp(bytes) {
      const found = isSure ? undefined : namesIn(bytes)[0]
      if (found === undefined) return
      said.sourceType = found
      isSure = true
    },
    async c2pa(file, start, end) {
      if (said.sourceType !== null) return
      const bytes = await file.read(start, Math.min(end - start, MOST_READ))
      said.sourceType = namesIn(bytes).find((name) => OF_AI.includes(name)) ?? null
    },
  }
}

/** The types that a text names. The longest name that fits: nothing tells where a name ends. */
function namesIn(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = bytes.indexOf(NAMED); at !== -1; at = bytes.indexOf(NAMED, at + NAMED.length)) {
    const begun = bytes.toString('latin1', at + NAMED.length, at + NAMED.length + 64)
    const fitting = SOURCE_TYPES.filter((name) => begun.startsWith(name)).sort((a, b) => b.length - a.length)
    if (fitting[0] !== undefined) names.push(fitting[0])
  }
  return names
}

const EXIF = Buffer.from('Exif\0\0')
const ORIENTATION = 0x0112
const SHORT = 3
const MOST_ENTRIES = 1_000

/** The entry of the first directory (TIFF 6.0, section 2); null where there is none that can be read. */
function readOrientation(given: Buffer): number | null {
  const tiff = given.subarray(0, EXIF.length).equals(EXIF) ? given.subarray(EXIF.length) : given
  if (tiff.length < 14) return null
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return null
  const isLittle = order === 'II*\0'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return null
  const entries = Math.min(short(directory), MOST_ENTRIES)
  for (let nth = 0, at = directory + 2; nth < entries && at + 12 <= tiff.length; nth++, at += 12) {
    if (short(at) !== ORIENTATION) continue
    const value = short(at + 2) === SHORT ? short(at + 8) : 0
    return value >= 1 && value <= 8 ? value : null
  }
  return null
}

/** Exif that says how a picture is turned, and nothing else. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** XMP that says how a picture came to be, and nothing else. */
export const sourceTypeXmp = (sourceType: string): Buffer =>
  Buffer.from(
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"' +
      ` Iptc4xmpExt:DigitalSourceType="${VOCABULARY}${sourceType}"/>` +
      '</rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
  )
