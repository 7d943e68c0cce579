/** The style of the site, over that of every page: of its header, which pages of the registry have too, and of all else. */
export const HEADER_STYLE = `
.top .wide{align-items:center;gap:.3rem 1.25rem}
.brand a{text-decoration:none}
.top nav{position:static;border:0;flex:1 1 auto}
.top nav ul{margin:0;padding:0;gap:0 1.1rem;flex-wrap:wrap}
.top nav a{padding:.25rem 0}
[aria-current=page]{text-decoration:underline!important}
.find input{font:inherit;font-size:.9rem;color:inherit;background:var(--bg);border:1px solid var(--mute);border-radius:8px;padding:.3rem .7rem;width:17rem;max-width:100%}
.top{border-bottom:1px solid var(--line)}
@media (max-width:40rem){.find,.find input{width:100%}}
@media print{.find{display:none!important}}
`;

/** The style of the whole site. */
export const SITE_STYLE = `${HEADER_STYLE}
.site{max-width:60rem}
.site h1{font-size:1.7rem;line-height:1.25;font-weight:680;letter-spacing:-.015em;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
.site h1.mono{font-size:1.4rem}
.site h2{margin-top:2rem;font-size:1.25rem}
.site h2.inline{display:inline;font-size:1rem}
.site h3{margin-top:1.25rem}
.crumbs{font-size:.88rem;color:var(--soft)}
.statement{font-size:1.2rem;line-height:1.45;border-left:4px solid var(--accent);padding-left:.9rem;margin:.6rem 0 1.2rem}
.things{list-style:none;padding:0;display:grid;gap:.35rem}
.things li{overflow-wrap:anywhere}
.things .mono{margin-right:.4rem}
.steps{font-size:.92rem}.steps li{margin:.25rem 0}
.snippet{margin:.4rem 0}.snippet>summary{padding:.25rem 0;font-weight:600;color:var(--accent)}
.neighbours{position:static;border:0;background:0 0;display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap;margin-top:2.5rem}
.neighbours a{display:inline;padding:0;white-space:normal}.neighbours span{min-width:0}
.document img{max-width:100%;height:auto}
.document p img:only-child{display:block;border:1px solid var(--line);border-radius:8px}
.document .scroll{margin:.8rem 0}
.document pre{margin:.7rem 0}
.document pre code{background:0 0;padding:0;font-size:1em}
.document li{margin:.2rem 0}
.document h2 a,.document h3 a{color:inherit}
.document a code{color:inherit}
@media print{.neighbours{display:none!important}.snippet:not([open]){display:none}}
`;
