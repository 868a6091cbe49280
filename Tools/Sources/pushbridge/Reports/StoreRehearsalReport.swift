import PushBridgeCore

/// What `rehearse DB` says.
struct StoreRehearsalReport: Encodable {
    var schema = 1
    var command = "rehearse"
    let store: String
    let credentials: [Line]
    let unreadable: [String]

    /// The status to end with.
    var status: ExitStatus {
        unreadable.isEmpty && failures == 0 ? .success : .needsAttention
    }

    private var failures: Int { credentials.filter { $0.reason != nil }.count }

    /// The report for a terminal.
    var text: String {
        var table = Table(
            ("Credential", .left),
            ("Issuer", .left),
            ("Account", .left),
            ("Verdict", .left)
        )
        for line in credentials {
            table.add(line.id, line.issuer, line.accountName, line.words)
        }
        return """
            rehearse: \(store), \(credentials.count) push credentials
            \(table.isEmpty ? "" : "\n\(table.text)")
            \(verdict)
            """
    }

    private var verdict: String {
        let lost = unreadable.map { "Cannot be read, because the database is damaged: \($0)\n" }.joined()
        let failed = "\(failures) of \(credentials.count) did not answer their login; nothing was changed.\n"
        guard !credentials.isEmpty else { return "\(lost)There is no push credential to rehearse with.\n" }
        guard failures > 0 else { return "\(lost)Every one answered its login; nothing was changed.\n" }
        return lost + failed
    }
}

extension StoreRehearsalReport {
    /// How the rehearsal of a credential ended.
    enum Outcome {
        case approved
        case failed(String)
    }

    /// One credential.
    struct Line: Encodable {
        let id: String
        let issuer: String
        let accountName: String
        /// Where an app would have sent the answer.
        let address: String?
        let verdict: String
        let reason: String?
        let locked: Bool

        init(_ credential: PushCredential, _ outcome: Outcome, sentTo address: String?) {
            id = credential.id
            issuer = credential.issuer
            accountName = credential.accountName
            locked = credential.isLocked
            switch outcome {
            case .approved:
                self.address = address
                verdict = "approved"
                reason = nil
            case .failed(let reason):
                self.address = nil
                verdict = "failed"
                self.reason = reason
            }
        }

        fileprivate var words: String {
            if let reason { return reason }
            return locked ? "\(verdict); a policy locks it in the app" : verdict
        }
    }
}
