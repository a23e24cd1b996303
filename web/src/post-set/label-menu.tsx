import { Trans, useLingui } from '@lingui/react/macro'
import { Button, ColorSwatch, Group, Menu } from '@mantine/core'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { useLabels } from '../planning/labels/labels-query.ts'
import classes from './composer.module.css'

const NewLabel = lazyWithWords(() => import('./new-label.tsx').then(({ NewLabel }) => ({ default: NewLabel })))

interface LabelMenuProps {
  /** Ids. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The labels of the post. */
export function LabelMenu({ chosen, onChange }: LabelMenuProps) {
  const { t } = useLingui()
  const may = useMay('labels:apply')
  const mayCreate = useMay('labels:manage')
  const labels = useLabels()
  const [naming, setNaming] = useState(false)
  if (!may || (labels.size === 0 && !mayCreate)) return null
  const names = chosen.flatMap((id) => labels.get(id)?.name ?? [])
  const list = names.join(', ')
  return (
    <>
      <Menu position="bottom-end" width={220} closeOnItemClick={false}>
        <Menu.Target>
          <Button
            className={classes.labels}
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconTag size={16} aria-hidden />}
            aria-label={names.length === 0 ? t`Labels` : t`Labels: ${list}`}
          >
            {names.length === 0 ? t`Labels` : list}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {[...labels.values()].map(({ id, name, color }) => {
            const on = chosen.includes(id)
            return (
              <Menu.CheckboxItem
                key={id}
                checked={on}
                closeMenuOnClick={false}
                onChange={() => onChange(on ? chosen.filter((each) => each !== id) : [...chosen, id])}
              >
                <Group gap={8} wrap="nowrap" component="span">
                  <ColorSwatch component="span" size={12} color={color ?? 'var(--mantine-color-gray-6)'} aria-hidden />
                  {name}
                </Group>
              </Menu.CheckboxItem>
            )
          })}
          {mayCreate && labels.size > 0 && <Menu.Divider />}
          {mayCreate && (
            <Menu.Item
              closeMenuOnClick
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setNaming(true)}
            >
              <Trans>New label…</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Part>
        {naming && (
          <NewLabel
            onClose={() => setNaming(false)}
            onCreated={({ id }) => {
              onChange([...chosen, id])
              setNaming(false)
            }}
          />
        )}
      </Part>
    </>
  )
}
