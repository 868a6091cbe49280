import PushBridgeCore
import PushParity

/// What `parity --divergences` says: everything that is different by design.
struct DivergenceReport {
    func deliver(asJSON: Bool) throws {
        try Terminal.write(asJSON ? json : text)
    }

    /// The register as a table in Markdown, which guides take over.
    var text: String {
        let rows = Divergence.register.map { divergence in
            let cells = [
                "`\(divergence.id)`", divergence.legacy, divergence.async, divergence.kept.rawValue,
                divergence.reason,
            ]
            return "| \(cells.joined(separator: " | ")) |\n"
        }
        return
            "| id | FRAuthenticator | PingPush | kept | why |\n| --- | --- | --- | --- | --- |\n\(rows.joined())"
    }

    private var json: String {
        let divergences = Divergence.register.map { divergence in
            JSONValue.object([
                "id": .string(divergence.id),
                "legacy": .string(divergence.legacy),
                "async": .string(divergence.async),
                "kept": .string(divergence.kept.rawValue),
                "reason": .string(divergence.reason),
            ])
        }
        let document: JSONValue = ["schema": 1, "divergences": .array(divergences)]
        return "\(document.text)\n"
    }
}
