import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeStore

/// Measures how long calls of the async API take, and how many keychain operations they make.
///
/// The keychain is in memory, with and without look-up keys. On a phone, each operation is a call to another process.
struct KeychainBenchmark {
    let credentials: Int

    func run() async throws {
        print("\(credentials) credentials of each kind in an in-memory keychain")
        let (with, without) = (try await Side(true, credentials), try await Side(false, credentials))
        for call in Call.allCases {
            var (times, others): ([Double], [Double]) = ([], [])
            for round in 0..<101 {
                times.append(try await with.microseconds(of: call, round))
                others.append(try await without.microseconds(of: call, round))
            }
            let ratio = zip(times, others).map { $0 / $1 }.median
            print(
                call.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0)
                    + "\(Int(times.median)) µs, \(with.keychain.operations) operations; without look-up keys "
                    + "\(Int(others.median)) µs, \(without.keychain.operations) operations; ratio "
                    + String(format: "%.2f", ratio)
            )
        }
    }

    private enum Call: String, CaseIterable {
        case listPushes = "list pushes"
        case listCodes = "list codes"
        case totp = "TOTP code"
        case hotp = "HOTP code"
        case receive, approve
        case enrolCode = "enrol a code"
        case deleteCode = "delete a code"
        case enrolPush = "enrol a push"
        case deletePush = "delete a push"
    }

    /// Two clients, one for push and one for one-time passwords, on one keychain.
    ///
    /// After each measurement, the keychain has the same credentials as before. Only the counter of the HOTP
    /// credential and the notifications change.
    private final class Side {
        let keychain: CountingKeychain
        private let push: PushClient
        private let oath: OathClient
        private let credential: PushCredential
        private let codes: (totp: String, hotp: String)
        private var received = ""
        private var enrolled = ""

        init(_ hasLookUpKeys: Bool, _ count: Int) async throws {
            let keychain = CountingKeychain(hasLookUpKeys)
            self.keychain = keychain
            push = try await PushClient.createClient { configuration in
                configuration.storage = PushKeychainStorage(keychain: keychain)
                configuration.transport = ImmediateTransport()
                configuration.logger = LogManager.none
                configuration.notificationCleanupConfig.cleanupMode = .none
            }
            oath = try await OathClient.createClient { configuration in
                configuration.storage = OathKeychainStorage(keychain: keychain)
                configuration.logger = LogManager.none
            }
            try await push.setDeviceToken("00ff")
            var first: PushCredential?
            for number in 0..<count {
                let credential = try await push.addCredentialFromUri(Self.push("customer-\(number)"))
                first = first ?? credential
                _ = try await oath.addCredentialFromUri(Self.code("totp", "customer-\(number)"))
            }
            guard let first else { throw CocoaError(.featureUnsupported) }
            credential = first
            codes = (
                try await oath.addCredentialFromUri(Self.code("totp", "time")).id,
                try await oath.addCredentialFromUri(Self.code("hotp", "counter")).id
            )
        }

        /// Returns the time of one call, and stores the number of its keychain operations in `keychain.operations`.
        func microseconds(of call: Call, _ round: Int) async throws -> Double {
            switch call {
            case .listPushes: return try await time { _ = try await push.getCredentials() }
            case .listCodes: return try await time { _ = try await oath.getCredentials() }
            case .totp: return try await time { _ = try await oath.generateCode(codes.totp) }
            case .hotp: return try await time { _ = try await oath.generateCode(codes.hotp) }
            case .receive:
                let claims: JSONValue = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
                let token = credential.sharedSecret.signedToken(claims: claims.data)
                let message: [String: Any] = ["aps": ["messageId": "m\(round)", "data": token]]
                return try await time {
                    received = try await push.processNotification(messageData: message)?.id ?? ""
                }
            case .approve:
                _ = try await microseconds(of: .receive, 1_000 + round)
                return try await time { _ = try await push.approveNotification(received) }
            case .enrolCode:
                let time = try await time {
                    enrolled = try await oath.addCredentialFromUri(Self.code("totp", "new")).id
                }
                _ = try await oath.deleteCredential(enrolled)
                return time
            case .deleteCode:
                enrolled = try await oath.addCredentialFromUri(Self.code("totp", "new")).id
                return try await time { _ = try await oath.deleteCredential(enrolled) }
            case .enrolPush:
                let code = try Self.push("new")
                let time = try await time { enrolled = try await push.addCredentialFromUri(code).id }
                _ = try await push.deleteCredential(enrolled)
                return time
            case .deletePush:
                enrolled = try await push.addCredentialFromUri(Self.push("new")).id
                return try await time { _ = try await push.deleteCredential(enrolled) }
            }
        }

        private func time(_ body: () async throws -> Void) async throws -> Double {
            let before = keychain.total
            let start = ContinuousClock.now
            try await body()
            let time = (ContinuousClock.now - start) / .microseconds(1)
            keychain.operations = keychain.total - before
            return time
        }

        private static func code(_ type: String, _ name: String) -> String {
            "otpauth://\(type)/Example%20Bank:\(name)?secret=JBSWY3DPEHPK3PXP&issuer=Example%20Bank"
        }

        private static func push(_ name: String) throws -> String {
            PushRegistration(
                account: AccountProfile(issuer: "Example Bank", accountName: name),
                endpoints: try GeneratedNotifications(count: 1).credential.endpoints,
                sharedSecret: .random(),
                challenge: Data("challenge".utf8),
                messageId: "REGISTER:1"
            ).uri()
        }
    }
}
