import { plural } from '@lingui/core/macro'
import { Checkbox, type CheckboxProps, Text } from '@mantine/core'

/** Confirms that posts are published which may be out already. Nothing where there are none. */
export function PublishAnyway({
  count,
  ...box
}: { count: number } & Pick<CheckboxProps, 'checked' | 'onChange' | 'error'>) {
  if (count === 0) return null
  return (
    <Checkbox
      label={plural(count, {
        one: 'Publish # post now, even if it appears twice',
        other: 'Publish # posts now, even if they appear twice',
      })}
      {...box}
    />
  )
}

/** How many posts a release has nothing to say about. Nothing where there are none. */
export function WithNetworks({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Text size="sm">
      {plural(count, {
        one: '# more post is with a network; its outcome is being checked.',
        other: '# more posts are with a network; their outcome is being checked.',
      })}
    </Text>
  )
}
