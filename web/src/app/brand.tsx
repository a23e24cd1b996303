import { Group, Text } from '@mantine/core'
import { dashboardPath } from '../api/base.ts'

/** The product's sign and name. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap" h={44}>
      <img src={`${dashboardPath}/favicon.svg`} alt="" width={28} height={28} />
      <Text fw={700} size="lg">
        Almanac
      </Text>
    </Group>
  )
}
