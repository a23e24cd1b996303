/** How long a video is, as players write it: `0:07`, `12:30`, `1:02:03`. */
export function lengthText(durationMs: number): string {
  const all = Math.max(1, Math.round(durationMs / 1_000))
  const two = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(all / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes}:${two(all % 60)}` : `${hours}:${two(minutes % 60)}:${two(all % 60)}`
}
