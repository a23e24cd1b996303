import type { CSSProperties } from 'react'
import type { SocialSet } from '#contract'
import classes from './brand.module.css'

type Brand = Pick<SocialSet, 'name' | 'color'>
type FaceSize = 's' | 'm' | 'l'

/** The first letter of a brand's name on its colour. */
export function BrandFace({ brand, size = 'm' }: { brand: Brand; size?: FaceSize }) {
  return (
    <span className={classes.face} data-size={size} style={colorOf(brand)} aria-hidden>
      {[...brand.name.trim()][0]?.toUpperCase()}
    </span>
  )
}

/** A brand by its face and its name; `small`: by its colour and its name. */
export function BrandName({ brand, small = false }: { brand: Brand; small?: boolean }) {
  return (
    <span className={classes.brand} data-small={small || undefined} title={brand.name}>
      {small ? <span className={classes.dot} style={colorOf(brand)} /> : <BrandFace brand={brand} size="s" />}
      <span className={classes.name} dir="auto">
        {brand.name}
      </span>
    </span>
  )
}

const colorOf = ({ color }: Brand) => ({ '--brand': color }) as CSSProperties
