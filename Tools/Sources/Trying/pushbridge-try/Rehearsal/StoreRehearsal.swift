import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
import PushParity

/// Makes every push credential of a store answer a login.
///
/// The login test uses copies in memory and removes their locks. A lock would prevent answers, but the test
/// is only about the secret.
struct StoreRehearsal {
    private let credentials: [PushCredential]
    private let unreadable: [String]
    private let client: PushClient
    private let transport: RecordingTransport
    private let server = Simulator()
    private let versions: [ServerVersion]

    init(of store: any CredentialStore, on versions: [ServerVersion]) async throws {
        self.versions = versions
        let contents = try store.contents()
        let copy = MemoryCredentialStore()
        try copy.add(contents.unlocked)
        let transport = RecordingTransport(server)
        client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(copy)
            configuration.transport = transport
            configuration.logger = LogManager.none
        }
        credentials = contents.pushCredentials
        unreadable = contents.unreadable
        self.transport = transport
    }

    /// Makes every credential answer a login.
    /// - Parameters:
    ///   - name: The name of the store in the report.
    ///   - progress: Called with the number of completed credentials and the total.
    /// - Returns: The result of each credential.
    /// - Throws: The errors of the client that are not about a credential.
    func report(
        name: String,
        progress: (_ completed: Int, _ total: Int) -> Void
    ) async throws -> StoreRehearsalReport {
        var lines: [StoreRehearsalReport.Line] = []
        for credential in credentials {
            progress(lines.count, credentials.count)
            let outcome = try await outcome(of: credential)
            let line = StoreRehearsalReport.Line(
                credential,
                outcome,
                sentTo: transport.takeSent().last?.address
            )
            lines.append(line)
        }
        await client.close()
        return StoreRehearsalReport(
            store: name,
            versions: versions.map(\.rawValue),
            credentials: lines,
            unreadable: unreadable
        )
    }

    private func outcome(of credential: PushCredential) async throws -> StoreRehearsalReport.Outcome {
        guard let realm = Realm(address: credential.authenticationEndpoint) else {
            return .failed("The credential's address is not the address of a push service.")
        }
        server.withService { service in
            service.settings.realms.insert(realm)
            service.add(SimulatedDevice(credential, realm: realm))
        }
        do {
            for version in versions {
                server.withService { $0.settings.version = version }
                guard let reason = try await reasonAgainst(credential) else { continue }
                return .failed(versions.count == 1 ? reason : "AM \(version.rawValue): \(reason)")
            }
            return .approved
        } catch let error as PushError {
            return .failed(error.localizedDescription)
        } catch let error as SimulatorError {
            return .failed(error.reason)
        }
    }

    /// Returns the reason why a credential did not answer a login; `nil` if the credential answered it.
    private func reasonAgainst(_ credential: PushCredential) async throws -> String? {
        let push = try server.createPush(PushOrder(mechanismUid: credential.id))
        guard let notification = try await client.processNotification(message: push.payload.text) else {
            return "The push was not recognised."
        }
        try await client.approveNotification(notification.id)
        let state = server.state(ofPush: push.messageId)
        return state == .approved ? nil : "The login is \(state?.rawValue ?? "unknown")."
    }
}

extension StoreContents {
    /// The push credentials, with their locks removed.
    fileprivate var unlocked: StoreContents {
        var copy = StoreContents()
        copy.pushCredentials = pushCredentials.map { credential in
            var credential = credential
            credential.unlock()
            return credential
        }
        return copy
    }
}

extension SimulatedDevice {
    /// Creates the device that a server has after the credential's enrolment, with a sample device token.
    fileprivate init(_ credential: PushCredential, realm: Realm) {
        self.init(
            mechanismUid: credential.id,
            sharedSecret: credential.sharedSecret,
            deviceToken: "rehearsal",
            account: credential.account.key,
            realm: realm
        )
        userId = credential.userId
    }
}

/// The report of `rehearse DB`.
struct StoreRehearsalReport: Report, Encodable {
    var schema = 1
    var command = "rehearse"
    let store: String
    let versions: [String]
    let credentials: [Line]
    let unreadable: [String]

    var status: ExitStatus {
        unreadable.isEmpty && failures == 0 ? .success : .needsAttention
    }

    private var failures: Int { credentials.filter { $0.reason != nil }.count }

    var text: String {
        var table = Table(("Credential", .left), ("Issuer", .left), ("Account", .left), ("Verdict", .left))
        for line in credentials {
            table.add(line.id, line.issuer, line.accountName, line.words)
        }
        return """
            rehearse: \(store), \(credentials.count) push credentials, at AM \(versions.joined(separator: ", "))
            \(table.isEmpty ? "" : "\n\(table.text)")
            \(verdict)
            """
    }

    private var verdict: String {
        let lost = unreadable.map { "Cannot be read, because the database is damaged: \($0)\n" }.joined()
        let failed =
            "\(failures) of \(credentials.count) push credentials did not answer their logins; nothing was changed.\n"
        guard !credentials.isEmpty else {
            return "\(lost)The database has no push credential for the login test.\n"
        }
        guard failures > 0 else {
            return "\(lost)Every push credential answered its login; nothing was changed.\n"
        }
        return lost + failed
    }
}

extension StoreRehearsalReport {
    /// The result for a credential.
    enum Outcome {
        case approved
        case failed(String)
    }

    /// One credential, and its result.
    struct Line: Encodable {
        let id: String
        let issuer: String
        let accountName: String
        /// The address to which an app would send the answer; `nil` if the login test failed.
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
            return locked ? "\(verdict); the credential is locked in the app" : verdict
        }
    }
}
