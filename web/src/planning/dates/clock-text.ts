/**
 * The clock time that was typed: "17:30", "1730", "9", "5:30 pm", "5p". Null of what is none. `time` is `HH:MM`.
 */
export function readClock(text: string): string | null {
  const found = /^\s*(\d{1,2})(?:[:.\s]?(\d{2}))?\s*([ap])?\.?\s*m?\.?\s*$/i.exec(text)
  if (!found) return null
  const [, hours = '', minutes = '0', half] = found
  const hour = Number(hours)
  if (Number(minutes) > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return null
  const shifted = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour
  return `${String(shifted).padStart(2, '0')}:${minutes.padStart(2, '0')}`
}
