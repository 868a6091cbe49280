import Dispatch
import FRAuthenticator
import FRCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// This file is compiled with the settings of Xcode 26's template for apps: declarations are isolated to the
// main actor by default. The classes declare no isolation; a class that conforms to a protocol of the legacy API is
// nonisolated.

/// Stores accounts and their mechanisms in memory.
final class AppStorage: StorageClient {
    private let calls: CallLog
    private var accounts: [Account] = []
    private var mechanisms: [Mechanism] = []

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func setAccount(account: Account) -> Bool {
        calls.record()
        accounts.removeAll { $0.identifier == account.identifier }
        accounts.append(account)
        return true
    }
    func removeAccount(account: Account) -> Bool { false }
    func getAccount(accountIdentifier: String) -> Account? {
        calls.record()
        return accounts.first { $0.identifier == accountIdentifier }
    }
    func getAllAccounts() -> [Account] {
        calls.record()
        return accounts
    }
    func setMechanism(mechanism: Mechanism) -> Bool {
        calls.record()
        mechanisms.append(mechanism)
        return true
    }
    func removeMechanism(mechanism: Mechanism) -> Bool { false }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        calls.record()
        return mechanisms.filter { $0.accountIdentifier == account.identifier }
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? { mechanisms.first { $0.mechanismUUID == uuid } }
    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? { nil }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? { nil }
    func setNotification(notification: FRAuthenticator.PushNotification) -> Bool { false }
    func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool { false }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] { [] }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] { [] }
    func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool { false }
    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? { nil }
    func removePushDeviceToken() -> Bool { false }
    func isEmpty() -> Bool { accounts.isEmpty }
}

final class AppPolicy: FRAPolicy {
    let name = "app"
    var data: Any?
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func evaluate() -> Bool {
        calls.record()
        return data != nil
    }
}

final class AppInterceptor: RequestInterceptor {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func intercept(request: Request, action: Action) -> Request {
        calls.record()
        return request
    }
}

final class AppLogger: FRLogger {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func logVerbose(timePrefix: String, logPrefix: String, message: String) { calls.record("verbose") }
    func logInfo(timePrefix: String, logPrefix: String, message: String) { calls.record("info") }
    func logNetwork(timePrefix: String, logPrefix: String, message: String) { calls.record("network") }
    func logWarning(timePrefix: String, logPrefix: String, message: String) { calls.record("warning") }
    func logError(timePrefix: String, logPrefix: String, message: String) { calls.record("error") }
}

final class AppDetector: JailbreakDetector {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func analyze() -> Double {
        calls.record()
        return 0.5
    }
}

final class AppHistory: FRHistory {
    let queue = DispatchQueue(label: "history")
    var enableHistory = true
    private(set) var logHistory: [String] = ["started"]
}

final class AppSessionHandler: NSObject, FRURLSessionHandlerProtocol {
    private let calls: CallLog

    init(_ calls: CallLog) {
        self.calls = calls
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.record()
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        calls.record()
        completionHandler(nil)
    }
}

/// A screen; the class and its closures are isolated to the main actor.
final class EnrolmentScreen {
    private(set) var texts: [String] = []
    let calls = CallLog()

    func scanned(_ uri: URL, then done: @escaping () -> Void) {
        FRAClient.shared?.createMechanismFromUri(
            uri: uri,
            onSuccess: { mechanism in
                self.calls.record("enrolled")
                self.texts.append(mechanism.accountName)
                done()
            },
            onError: { error in
                self.texts.append(error.localizedDescription)
                done()
            }
        )
    }

    func load(_ address: String, then done: @escaping () -> Void) {
        RestClient.shared.invoke(request: Request(url: address, method: .GET, timeoutInterval: 5)) { result in
            self.calls.record("loaded")
            self.texts.append("loaded")
            done()
        }
    }
}
