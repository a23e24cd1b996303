import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor } from '@mantine/core'
import type { NetworkApp } from '#contract'
import { basePath } from '../api/base.ts'
import { CopyField } from '../design/copy-field.tsx'
import { titleOf } from './network-apps-words.ts'

/** The address that an app has to list, which is asked for before there is an id. */
export function CallbackAddress({ app }: { app: NetworkApp }) {
  const title = titleOf(app)
  return (
    <CopyField
      label={t`Callback address of ${title}`}
      description={t`Enter it in your app on the network as the redirect address, exactly like this.`}
      value={app.callbackUrl}
      copyLabel={t`Copy address`}
    />
  )
}

export function HowToGetApp({ app }: { app: NetworkApp }) {
  const title = titleOf(app)
  return (
    <Anchor href={`${basePath}/docs/networks/${app.network}`} target="_blank" rel="noopener" size="sm">
      <Trans>How to get an app on {title} (opens a new tab)</Trans>
    </Anchor>
  )
}
