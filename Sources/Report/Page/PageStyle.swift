/// The page's looks: one column of text, two of pictures, colours for light and dark and for paper.
enum PageStyle {
    static let text = colours + layout + tables + pictures + media

    /// Blue and ochre stay apart for every kind of colour vision; red and green are never the only sign.
    private static let colours = """
        :root{color-scheme:light dark;--ground:#f5f5f2;--paper:#fff;--ink:#1c1d20;--dim:#61656b;--hair:#e3e4e0;--axis:#b9bcc0;
        --a:#1d5fc2;--b:#b25a09;--c:#7c8087;--good:#23733f;--bad:#b3261c;--amber:#d9902f;--plan:#dfe2e6;--warm:#8a8f9614}
        @media(prefers-color-scheme:dark){:root{--ground:#121315;--paper:#1a1c1f;--ink:#e7e8e9;--dim:#9ca1a8;--hair:#2c3035;
        --axis:#565c64;--a:#79aefc;--b:#f0a45b;--c:#8f959d;--good:#69c489;--bad:#ff8579;--amber:#d9973f;--plan:#343a42;--warm:#9aa0a81c}}

        """

    private static let layout = """
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
        font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
        main{max-width:1160px;margin:0 auto;padding:32px 24px 48px}
        h1{font-size:26px;line-height:1.2;margin:0;letter-spacing:-.01em;overflow-wrap:anywhere}
        h2{font-size:17px;margin:40px 0 10px}
        h3{font-size:15px;margin:0}
        p{margin:0}
        .dim,figcaption p,small,caption,footer{color:var(--dim)}
        #verdict{margin:20px 0;padding:14px 18px;background:var(--paper);border-left:5px solid var(--good);border-radius:4px}
        #verdict.bad{border-color:var(--bad)}#verdict.warn{border-color:var(--amber)}
        #verdict h2{margin:0;font-size:22px;letter-spacing:.04em;color:var(--good)}
        #verdict.bad h2{color:var(--bad)}
        #verdict ul{margin:8px 0 0;padding-left:20px}
        .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:1px;margin:0 0 20px;background:var(--paper);
        border:1px solid var(--hair);border-radius:4px;overflow:hidden}
        .figures div{box-shadow:0 0 0 1px var(--hair);padding:10px 14px}
        .figures dt{color:var(--dim);font-size:13px}
        .figures dd{margin:0;font-size:21px;line-height:1.25}
        .figures small{display:block;font-size:13px}
        .lede{max-width:46em}
        footer{margin-top:40px;padding-top:16px;border-top:1px solid var(--hair);font-size:13px}
        footer dl{margin:12px 0 0}
        footer div{display:flex;gap:12px}
        footer dt{flex:0 0 72px}
        footer dd{margin:0;overflow-wrap:anywhere}

        """

    private static let tables = """
        .scroll{overflow-x:auto;background:var(--paper);border-radius:4px}
        table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.35}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        th,td{padding:6px 10px;text-align:left;white-space:nowrap;font-weight:400}
        thead th{color:var(--dim);font-size:13px;vertical-align:bottom;white-space:normal;border-bottom:1px solid var(--axis)}
        tbody tr+tr>*{border-top:1px solid var(--hair)}
        .n{text-align:right}
        .first,.group{border-left:1px solid var(--hair)}
        thead .group{border-bottom:0;padding-bottom:0}thead td{padding:0}
        #lanes table,#phases table{font-size:13px}#lanes th,#lanes td,#phases th,#phases td{padding-left:7px;padding-right:7px}
        b.good{color:var(--good)}b.bad{color:var(--bad)}
        .bar{display:block;width:120px;height:10px}
        .bar .plain{fill:var(--axis)}.bar .bad{fill:var(--amber)}

        """

    private static let pictures = """
        .grid{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:16px}
        figure{margin:0;padding:14px 16px 12px;background:var(--paper);border-radius:4px;min-width:0}
        figcaption p{font-size:13px;line-height:1.4;margin:2px 0 8px}
        figure svg{display:block;width:100%;height:auto;overflow:visible}
        figure text{font-size:11px;fill:var(--ink)}
        .tick,.phase{fill:var(--dim)!important}
        path.grid{stroke:var(--hair);stroke-width:1}
        .axis,.edge{stroke:var(--axis);stroke-width:1}
        .edge{stroke-dasharray:2 2}
        .warm{fill:var(--warm)}
        .line{fill:none;stroke-width:1.6;stroke-linejoin:round}
        .strong{stroke-width:2.4}
        .thin{stroke:var(--c);stroke-width:1;stroke-dasharray:1.5 2}
        .line.a{stroke:var(--a)}.line.b{stroke:var(--b)}.line.bad{stroke:var(--bad)}
        text.a{fill:var(--a)}text.b{fill:var(--b)}text.c{fill:var(--c)}text.bad{fill:var(--bad)}text.amber{fill:var(--amber)}
        .r0{--run:var(--a)}.r1{--run:var(--b)}.r2{--run:var(--good)}.r3{--run:var(--bad)}.r4{--run:var(--c)}.r5{--run:var(--amber)}
        .line[class*=" r"]{stroke:var(--run)}text[class*=" r"]{fill:var(--run);font-weight:600}b.key{color:var(--run)}
        .line.r1{stroke-dasharray:7 2}.line.r2{stroke-dasharray:4 2}.line.r3{stroke-dasharray:2 2}.line.r4{stroke-dasharray:7 2 2 2}
        .plan{fill:var(--plan)}
        .band{fill:var(--a);fill-opacity:.2}
        .fill.amber{fill:var(--amber)}.fill.bad{fill:var(--bad)}.fill.c{fill:var(--c)}
        .heat{fill:var(--a);shape-rendering:crispEdges}
        .h1{fill-opacity:.12}.h2{fill-opacity:.24}.h3{fill-opacity:.36}.h4{fill-opacity:.48}.h5{fill-opacity:.6}.h6{fill-opacity:.74}
        .h7{fill-opacity:.88}.h8{fill-opacity:1}
        .life{stroke:var(--a);stroke-width:2}.life.bad{stroke:var(--bad)}
        .goaway{fill:var(--amber);stroke:var(--paper);stroke-width:.7}.limit{fill:var(--b)}
        .hit rect{fill:transparent}
        .hit:hover rect{fill:var(--ink);fill-opacity:.09}
        details{margin-top:6px;font-size:13px}
        summary{cursor:pointer;color:var(--dim);width:max-content}
        details .scroll{max-height:320px;overflow:auto;margin-top:6px}
        details table{font-size:13px}
        details th,details td{padding:3px 8px}
        #tip{position:fixed;z-index:9;pointer-events:none;white-space:pre;background:var(--ink);color:var(--paper);padding:6px 10px;
        border-radius:4px;font-size:13px;line-height:1.4;max-width:92vw;overflow:hidden;text-overflow:ellipsis}
        #tip[hidden]{display:none}

        """

    private static let media = """
        @media(max-width:720px){main{padding:20px 12px 32px}.grid{grid-template-columns:minmax(0,1fr)}h2{margin-top:28px}
        figure{padding:12px 10px 10px}figure text{font-size:12.5px}th,td{padding:6px 8px}#outcomes td:not(.n),#thresholds td:not(.n){white-space:normal}.bar{width:56px}.figures dd{font-size:19px}}
        @media print{:root{color-scheme:light;--ground:#fff;--paper:#fff;--ink:#000;--dim:#444;--hair:#ddd;--axis:#999;--a:#1d5fc2;--b:#b25a09;
        --c:#666;--good:#23733f;--bad:#b3261c;--amber:#d9902f;--plan:#dfe2e6;--warm:#8a8f9614}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        main{max-width:none;padding:0}figure,tr,#verdict{break-inside:avoid}h2{break-after:avoid}details,#tip{display:none}
        .scroll{overflow:visible}table,thead th,#lanes table,#phases table{font-size:10px}
        th,td,#lanes th,#lanes td,#phases th,#phases td{padding:3px 5px}}

        """
}
