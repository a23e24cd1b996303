import { useMediaQuery } from '@mantine/hooks'
import { WIDE_FROM_PX } from '../design/theme.ts'

/** Whether the screen has room for the rail: 641 px and more. */
export function useIsWide(): boolean {
  return useMediaQuery(`(min-width: ${WIDE_FROM_PX / 16}em)`, true, { getInitialValueInEffect: false })
}
