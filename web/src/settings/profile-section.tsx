import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** As wide as a line that is read well; the part itself is as wide as the page. */
const WIDTH = 640

/** A part of a page of settings that is saved by itself. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId()
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Stack maw={WIDTH}>
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}

interface SectionProps {
  title: string
  description?: ReactNode
  children: ReactNode
}
