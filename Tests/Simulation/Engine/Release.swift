import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// A process of the release with PushBridge.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
final class Release: @unchecked Sendable {
    let process: Process
    let keychain: SimulatedKeychain
    let migration = FRAMigration()
    let authenticator: Authenticator
    let client: FRAClient
    let handler: FRAPushHandler
    /// Opens the store into which the records move.
    let openStore: @Sendable () throws -> any CredentialStore

    init(_ process: Process, _ phone: Phone) {
        self.process = process
        let gate = phone.gate
        let keychain = SimulatedKeychain(phone.keychain, process, gate)
        self.keychain = keychain
        openStore = phone.storeOpener(for: process, keychain)
        var configuration = Authenticator.Configuration()
        configuration.store = openStore
        configuration.transport = SimulatedNetwork(server: phone.server, process: process, gate: gate)
        configuration.deviceName = { "Phone" }
        configuration.now = { gate.now }
        configuration.isExtension = process.party == .helper
        configuration.policyEvaluator = FRAPolicyEvaluator()
        try? configuration.policyEvaluator.registerPolicies(policies: [SimulatedPolicy(phone)])
        if phone.setup.store != .ownStorage {
            let key = phone.itemKey.map { _ in SimulatedItemKey(phone.keychain, process) }
            migration.source = .keychain(keychain, key: key)
            if phone.setup.keepsEnrolments == true {
                configuration.pendingEnrolments = KeychainPendingEnrolments(keychain)
            }
            migration.mode = phone.mode.asked
            configuration.migration = migration
        }
        authenticator = Authenticator(configuration)
        client = FRAClient(authenticator)
        handler = FRAPushHandler(authenticator)
    }

    /// Migrates or checks the records at the start of the process, as the mode requires.
    ///
    /// Waits for the answer of the migration's gate, unless another process runs at the same time.
    func start(_ mode: Step.Mode, alone: Bool) {
        guard alone else {
            // A background task would query the migration's gate on a thread of the system, and wait there for the
            // other process. So the migration runs on this thread.
            if mode == .atOnce || mode == .openGate {
                migration.run(on: authenticator)
            } else {
                migration.mode = .inPlace
                migration.runIfDue(on: authenticator)
                migration.mode = mode.asked
            }
            return
        }
        process.waiting {
            guard let task = migration.runIfDue(on: authenticator) else { return }
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                await task.value
                done.signal()
            }
            done.wait()
        }
    }

    /// Whether the process tries to move again only at its next start.
    var waitsForStart: Bool {
        switch migration.outcome {
        case .notRun, .failed, .held: true
        case .inPlace, .nothingToDo, .done, .later: false
        }
    }

    /// Whether the process works on the store; also `false` if this cannot be determined.
    var isOnStore: Bool {
        let isInPlace = try? authenticator.place()?.lastState().isInPlace
        return isInPlace == false
    }

    /// The outcome of the last attempt to move, as text.
    var outcome: String {
        switch migration.outcome {
        case .notRun: "not run"
        case .inPlace: "in place"
        case .nothingToDo: "nothing to do"
        case .done: "done"
        case .later: "later"
        case .failed: "failed"
        case .held: "held"
        }
    }

    /// Returns the credentials that the process shows.
    func shown() -> [Shown] { client.getAllAccounts().flatMap { shown(of: $0) } }

    /// Returns the values of the account's credentials.
    func shown(of account: Account) -> [Shown] {
        account.mechanisms.compactMap { mechanism -> Shown? in
            guard let json = mechanism.toJson().flatMap({ JSONValue(json: Data($0.utf8)) }),
                case .string(let secret)? = json["secret"],
                let slot = Slot(accountName: account.accountName, kind: mechanism.type)
            else { return nil }
            var shown = Shown(slot: slot, id: mechanism.mechanismUUID, secret: secret.plainSecret)
            shown.counter = (mechanism as? HOTPMechanism)?.counter
            shown.name = account.displayAccountName
            shown.isLocked = account.lock
            return shown
        }
    }

    /// Returns the numbers of the pushes that the process shows.
    func shownPushes() -> Set<Int> {
        Set(
            client.getAllNotifications().compactMap { push in
                guard push.messageId.hasPrefix("AUTHENTICATE:") else { return nil }
                return Int(push.messageId.dropFirst("AUTHENTICATE:".count))
            }
        )
    }

    /// Returns the numbers of the pushes that the process shows as pending.
    func pendingPushes() -> Set<Int> {
        Set(
            client.getAllNotifications().compactMap { push in
                guard push.isPending, push.messageId.hasPrefix("AUTHENTICATE:") else { return nil }
                return Int(push.messageId.dropFirst("AUTHENTICATE:".count))
            }
        )
    }

    func account(_ number: Int) -> Account? {
        client.getAllAccounts().first { $0.accountName == Slot.names[number] }
    }

    /// Returns the mechanism of a slot, apart from mechanisms with the given secrets; `nil` if there is none.
    func mechanism(_ slot: Slot, without secrets: Set<String>) -> Mechanism? {
        guard let account = account(slot.account) else { return nil }
        let ids = shown(of: account).filter { $0.slot == slot && !secrets.contains($0.secret) }.map(\.id)
        return account.mechanisms.first { ids.contains($0.mechanismUUID) }
    }

    /// Scans a code and waits for the result.
    ///
    /// Returns whether the scan succeeded; `nil` if no callback occurred.
    func enrol(_ uri: String) -> Bool? {
        guard let url = URL(string: uri) else { return false }
        return waitForReport { report in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { _ in report(true) },
                onError: { _ in report(false) }
            )
        }
    }

    /// Waits up to 20 seconds for a callback.
    /// - Returns: Whether the success callback occurred; `nil` if no callback occurred.
    func waitForReport(_ body: (@escaping @Sendable (Bool) -> Void) -> Void) -> Bool? {
        let done = DispatchSemaphore(value: 0)
        let result = Lock<Bool?>(nil)
        return process.waiting {
            body { isSuccess in
                result.withValue { $0 = isSuccess }
                done.signal()
            }
            return done.wait(timeout: .now() + 20) == .success ? result.withValue { $0 } : nil
        }
    }
}

extension Step.Mode {
    var asked: FRAMigration.Mode {
        switch self {
        case .inPlace: .inPlace
        case .atOnce: .atOnce
        case .openGate: .gated(MigrationGate { _ in .go })
        case .closedGate: .gated(MigrationGate { _ in .wait })
        }
    }
}

/// A policy of the server that the app never finds violated; the user locks accounts with this policy by hand.
final class ManualPolicy: FRAPolicy {
    static let ownName = "manual"
    let name = "manual"
    var data: Any?

    func evaluate() -> Bool { true }
}

/// A policy that the simulated device can violate.
private final class SimulatedPolicy: FRAPolicy {
    let name = "whole"
    var data: Any?
    // The reference is weak, because the phone retains its processes, and the processes retain their
    // policies.
    private weak var phone: Phone?

    init(_ phone: Phone) {
        self.phone = phone
    }

    func evaluate() -> Bool { phone?.model.complies ?? true }
}

extension String {
    /// The secret in a normalised form, so that secrets can be compared.
    var plainSecret: String {
        replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .trimmingCharacters(in: ["="])
    }
}

extension Data {
    var base64URL: String { base64EncodedString().plainSecret }
}

/// A registration URI that the user scanned.
struct Code {
    /// The bytes of the code's secret.
    let bytes: Data
}

/// Makes the registration URIs and the pushes of the servers.
enum Wire {
    static let address = "https://am.example.com/json/push/sns/message"

    /// Returns the text of a registration URI.
    static func code(_ slot: Slot, secret: Data, counter: Int, message: String) -> String {
        let label = "\(Slot.issuer):\(slot.accountName)"
        func base64(_ text: String) -> String { Data(text.utf8).base64URL }
        switch slot.kind {
        case .totp: return "otpauth://totp/\(label)?secret=\(secret.base32)&issuer=\(Slot.issuer)"
        case .hotp:
            return
                "otpauth://hotp/\(label)?secret=\(secret.base32)&issuer=\(Slot.issuer)&counter=\(counter)"
        case .push:
            let parts = [
                "a=\(base64(address + "?_action=authenticate"))",
                "r=\(base64(address + "?_action=register"))",
                "s=\(secret.base64URL)", "c=\(base64("challenge"))", "l=\(base64("amlbcookie=01"))",
                "m=\(message)", "issuer=\(base64(Slot.issuer))", "b=519387",
            ]
            return "pushauth://push/\(label)?\(parts.joined(separator: "&"))"
        }
    }

    /// Returns the text of a registration URI for a push credential and a TOTP credential.
    static func code(_ push: Slot, secret: Data, oath: Data, message: String) -> String {
        code(push, secret: secret, counter: 0, message: message)
            .replacingOccurrences(of: "pushauth://push", with: "mfauth://totp") + "&secret=\(oath.base32)"
    }

    /// Returns the payload of a push in the form in which the system delivers it.
    static func payload(_ message: Int, _ device: Server.Device, at now: Date) -> [AnyHashable: Any] {
        let header = Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8).base64URL
        let challenge = Data("challenge \(message)".utf8).base64EncodedString()
        let claims =
            #"{"c":"\#(challenge)","i":"\#(Int(now.timeIntervalSince1970 * 1000))","t":"120","u":"\#(device.uid)"}"#
        let signed = "\(header).\(Data(claims.utf8).base64URL)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(signed.utf8),
            using: SymmetricKey(data: device.secret)
        )
        return ["aps": ["messageId": "AUTHENTICATE:\(message)", "data": "\(signed).\(Data(code).base64URL)"]]
    }
}

extension Data {
    /// The bytes in base32 without padding.
    ///
    /// The number of bytes must be a multiple of five.
    var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, bits, count) = ("", UInt32(0), 0)
        for byte in self {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> UInt32(count) & 31)])
            }
        }
        return text
    }
}
