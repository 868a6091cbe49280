import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore

/// Lets every push credential of a store answer a login.
///
/// Works on copies in memory, without locks: a lock keeps an app from answering, and here the secret is tried.
struct StoreRehearsal {
    private let credentials: [PushCredential]
    private let unreadable: [String]
    private let client: PushClient
    private let transport: RecordingTransport
    private let server = Simulator()

    init(of store: any CredentialStore) async throws {
        var credentials: [PushCredential] = []
        unreadable = try store.read { view in
            try view.forEachReadablePushCredential { credentials.append($0) }
        }
        let copy = MemoryCredentialStore()
        try copy.write { view in
            for var credential in credentials {
                credential.unlock()
                try view.save(credential)
            }
        }
        let transport = RecordingTransport(server)
        client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(copy)
            configuration.transport = transport
            configuration.logger = nil
        }
        self.credentials = credentials
        self.transport = transport
    }

    func report(name: String) async throws -> StoreRehearsalReport {
        var lines: [StoreRehearsalReport.Line] = []
        for credential in credentials {
            let outcome = try await outcome(of: credential)
            let line = StoreRehearsalReport.Line(credential, outcome, sentTo: transport.addresses.last)
            lines.append(line)
        }
        try await client.close()
        return StoreRehearsalReport(store: name, credentials: lines, unreadable: unreadable)
    }

    private func outcome(of credential: PushCredential) async throws -> StoreRehearsalReport.Outcome {
        guard let realm = Realm(address: credential.authenticationEndpoint) else {
            return .failed("Its address is not that of a push service.")
        }
        server.withService { service in
            service.settings.realms.insert(realm)
            service.add(SimulatedDevice(credential, realm: realm))
        }
        do {
            let push = try server.createPush(PushOrder(mechanismUid: credential.id))
            guard let notification = try await client.processNotification(message: push.payload.text) else {
                return .failed("The push was not taken for one.")
            }
            try await client.approveNotification(notification.id)
            let state = server.state(ofPush: push.messageId)
            return state == .approved ? .approved : .failed("The login is \(state?.rawValue ?? "unknown").")
        } catch let error as PushError {
            return .failed(error.localizedDescription)
        } catch let error as SimulatorError {
            return .failed(error.reason)
        }
    }
}

extension SimulatedDevice {
    /// The device as the server that enrolled the credential knows it.
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
