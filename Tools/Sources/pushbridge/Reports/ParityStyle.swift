/// How the page of two timelines looks, beside ``ReportStyle``.
enum ParityStyle {
    static let css = """
        .same{background:#2f9e5f}.differentByDesign{background:#3b82c4}.different{background:#d9480f}
        .soft{color:var(--soft)}a{color:inherit}
        .scenario{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.4rem .8rem}
        summary{cursor:pointer;overflow-wrap:anywhere}summary:focus-visible{outline:2px solid #4c8dff}
        .steps{padding-left:1.6rem;margin:.5rem 0}.steps>li{margin:.6rem 0;padding-bottom:.4rem}
        .step{overflow-wrap:anywhere}
        .sides{display:grid;grid-template-columns:1fr 1fr;gap:.8rem;margin-top:.3rem}
        .side{background:var(--tint);border-radius:.4rem;padding:.4rem .6rem;min-width:0}
        .name{color:var(--soft);font-size:.8rem}
        .request,.told,.changes{border-left:3px solid transparent;padding-left:.4rem;margin:.15rem 0}
        .meant{border-left-color:#3b82c4}.wrong{border-left-color:#d9480f}
        .differences{font-size:.85rem;margin-top:.3rem}.differences ul{list-style:none;padding:0;margin:.3rem 0}
        .differences li{border-left:3px solid;padding-left:.5rem;margin:.2rem 0;overflow-wrap:anywhere}
        .differences li.meant{border-color:#3b82c4}.differences li.wrong{border-color:#d9480f}
        pre{font-size:.78rem;line-height:1.4;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
        .register table{table-layout:fixed}.register td{overflow-wrap:anywhere;white-space:normal}
        .register th:first-child{width:11rem}.register th.number{width:5.5rem}
        @media(max-width:45rem){.sides{grid-template-columns:1fr}.steps{padding-left:1.1rem}
        .register thead{display:none}.register tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}
        .register td{display:block;border:0;padding:.1rem 0;text-align:left}
        .register td.outcome{font-weight:600}.register td.number::after{content:" scenarios"}
        .register td.of-legacy::before{content:"FRAuthenticator: ";color:var(--soft)}
        .register td.of-async::before{content:"PingPush: ";color:var(--soft)}}

        """
}
