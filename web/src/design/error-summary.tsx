import { plural } from '@lingui/core/macro'
import { Alert, Anchor, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

/** What is wrong with a field, by the id of its element. */
export interface FieldProblem {
  field: string
  message: string
}

/** Stands on top of a form that was sent with mistakes, takes the focus and leads to each. A new array is a new try. */
export function ErrorSummary({ problems }: { problems: readonly FieldProblem[] }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problems.length > 0) box.current?.focus()
  }, [problems])
  if (problems.length === 0) return null
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={plural(problems.length, { one: '# problem', other: '# problems' })}
    >
      <List size="sm" spacing={4}>
        {problems.map(({ field, message }) => (
          <List.Item key={field}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              c="inherit"
              ta="left"
              mih={24}
              onClick={() => focusField(field)}
            >
              {message}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function focusField(id: string): void {
  document.getElementById(id)?.focus()
}
