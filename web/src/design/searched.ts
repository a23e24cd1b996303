/** A text as fields compare it that one searches by: capitals are alike, and letters with their marks beside them. */
export const searched = (text: string): string => text.normalize('NFC').toLowerCase()

export const has = (text: string, part: string): boolean => searched(text).includes(searched(part))
