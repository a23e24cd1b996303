import { zoneChip } from './zones.ts'

/**
 * Names that browsers list by the ones of old: what people look for is the name of today. From the file `backward` of
 * the IANA time zone database, read 2026-11-21.
 */
const NAMES_NOW: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

let names: readonly string[] | null = null

/** Timezones to choose from, each with its distance from UTC now. The chosen one is among them by the name that it has. */
export function timezoneOptions(chosen: string): { value: string; label: string }[] {
  names ??= [
    ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => NAMES_NOW[name] ?? name)]),
  ].toSorted()
  const at = Temporal.Now.instant().toString()
  const all = names.includes(chosen) ? names : [chosen, ...names]
  return all.map((zone) => ({ value: zone, label: zoneChip(zone, at).replaceAll('_', ' ') }))
}
