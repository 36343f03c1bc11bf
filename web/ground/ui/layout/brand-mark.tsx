/** The post horn, in the colour of the text around it. */
export const BrandMark = ({ size = 32, className }: { size?: number; className?: string }) => (
  <svg
    className={className}
    width={size}
    height={size}
    viewBox="0 0 64 64"
    fill="none"
    stroke="currentColor"
    strokeWidth="4.6"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <g transform="rotate(-14 32 32) translate(32 32) scale(1.4) translate(-32.5 -31)">
      <path d="M12.5 19.5v7" />
      <path d="M12.5 23H32a11.5 11.5 0 1 1-11.5 11.5A11.5 11.5 0 0 1 32 23h6" />
      <path
        d="M38 23c6 0 11-2.6 14.5-8v16C49 25.6 44 23 38 23Z"
        fill="currentColor"
        strokeLinejoin="round"
        strokeWidth="3"
      />
    </g>
  </svg>
);
