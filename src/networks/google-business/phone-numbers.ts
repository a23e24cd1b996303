/** Digits with nothing but the usual signs of phone numbers between them. */
const CANDIDATE = /(?<![\w/.,#-])(?:\+|\()?\d[\d\s().\-/\u2010-\u2013]{5,60}\d(?![\w/])/gu
const PARTED = /^\d{2,5}(?:[\s.\-/\u2010-\u2013]\d{2,5}){1,4}$/u

/** Groups of digits that are common in posts and no phone numbers. */
const OTHERS = [
  // 2026-11-21, 21.11.2026, 2025-2026, and several of them
  /^(?:(?:(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d|(?:19|20)\d\d)(?:[\s\-\u2010-\u2013]+|$))+$/u,
  // 1.000.000, 1 000 000
  /^[1-9]\d{0,2}(?:[.\s]\d{3})+$/u,
  // 10.00-18.00, 0800-1800
  /^[0-2]?\d\.?[0-5]\d\s*[-\u2010-\u2013]\s*[0-2]?\d\.?[0-5]\d$/u,
]

/**
 * The first part of a text that looks like a phone number: 7 to 15 digits that begin with a plus, a bracket or a zero,
 * or are parted as phone numbers are. Null without one.
 */
export function phoneNumberIn(text: string): string | null {
  for (const [found] of text.matchAll(CANDIDATE)) {
    const digits = found.replace(/\D/g, '').length
    if (digits < 7 || digits > 15 || OTHERS.some((other) => other.test(found))) continue
    if (/^[+(0]/.test(found) || PARTED.test(found) || digits === 10) return found
  }
  return null
}
