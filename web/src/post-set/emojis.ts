/** Where Unicode has the emojis of each kind: first and last code points. */
const BLOCKS = {
  faces: [
    [0x1f600, 0x1f64f],
    [0x1f910, 0x1f92f],
    [0x1f970, 0x1f97a],
    [0x1fae0, 0x1fae8],
  ],
  people: [
    [0x1f440, 0x1f487],
    [0x1f90c, 0x1f90f],
    [0x1f930, 0x1f93f],
    [0x1f9b0, 0x1f9e6],
    [0x1faf0, 0x1faf8],
    [0x1f493, 0x1f49f],
    [0x2764, 0x2764],
  ],
  nature: [
    [0x1f300, 0x1f344],
    [0x1f400, 0x1f43f],
    [0x1f980, 0x1f9ae],
    [0x2600, 0x2604],
    [0x26c4, 0x26c8],
  ],
  food: [
    [0x1f345, 0x1f37f],
    [0x1f950, 0x1f96f],
    [0x1fad0, 0x1fadb],
    [0x2615, 0x2615],
  ],
  things: [
    [0x1f380, 0x1f3ff],
    [0x1f488, 0x1f492],
    [0x1f4a0, 0x1f53d],
    [0x1f680, 0x1f6ff],
    [0x1f9e7, 0x1f9ff],
    [0x1fa70, 0x1fa8f],
  ],
  signs: [
    [0x2705, 0x2705],
    [0x2728, 0x2728],
    [0x274c, 0x274e],
    [0x2753, 0x2757],
    [0x2795, 0x2797],
    [0x27a1, 0x27a1],
    [0x2b05, 0x2b07],
    [0x2b50, 0x2b55],
    [0x1f500, 0x1f53d],
    [0x231a, 0x231b],
    [0x23e9, 0x23f3],
  ],
} satisfies Record<string, [number, number][]>

export type EmojiKind = keyof typeof BLOCKS

export const EMOJI_KINDS = Object.keys(BLOCKS) as readonly EmojiKind[]

/** All emojis of a kind that are drawn as pictures. */
export function emojisOf(kind: EmojiKind): string[] {
  const signs = BLOCKS[kind].flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)),
  )
  return signs.flatMap((sign) => {
    // Skin tones alone are no emoji that is written.
    if (/\p{Emoji_Modifier}/u.test(sign)) return []
    if (/\p{Emoji_Presentation}/u.test(sign)) return [sign]
    return /\p{Emoji}/u.test(sign) ? [`${sign}\ufe0f`] : []
  })
}
