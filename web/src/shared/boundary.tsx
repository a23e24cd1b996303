import { Trans } from '@lingui/react/macro'
import { Component, type ReactNode } from 'react'
import controls from './controls.module.css'

/** In the place of a page that could not be drawn: what there is to do. React asks for a class here. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className={controls.over}>
        <h1>
          <Trans>Something went wrong</Trans>
        </h1>
        <p>
          <Trans>This page could not be shown. What you decided is saved.</Trans>
        </p>
        <p className={controls.buttons}>
          <button
            type="button"
            className={controls.primary}
            onClick={() => window.location.assign(window.location.pathname)}
          >
            <Trans>Open the calendar again</Trans>
          </button>
        </p>
      </main>
    )
  }
}
