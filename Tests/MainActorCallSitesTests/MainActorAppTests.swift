import Dispatch
import FRAuthenticator
import FRCore
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Compiled as Xcode 26's template for apps has it: everything is isolated to the main actor unless it says otherwise.

/// Keeps accounts in memory.
final class AppStorage: StorageClient {
    private var accounts: [Account] = []

    func setAccount(account: Account) -> Bool {
        accounts.append(account)
        return true
    }
    func removeAccount(account: Account) -> Bool { false }
    func getAccount(accountIdentifier: String) -> Account? { accounts.first }
    func getAllAccounts() -> [Account] { accounts }
    func setMechanism(mechanism: Mechanism) -> Bool { false }
    func removeMechanism(mechanism: Mechanism) -> Bool { false }
    func getMechanismsForAccount(account: Account) -> [Mechanism] { [] }
    func getMechanismForUUID(uuid: String) -> Mechanism? { nil }
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

    func evaluate() -> Bool { data != nil }
}

final class AppInterceptor: RequestInterceptor {
    func intercept(request: Request, action: Action) -> Request { request }
}

final class AppLogger: FRLogger {
    private(set) var lines = 0

    func logVerbose(timePrefix: String, logPrefix: String, message: String) { lines += 1 }
    func logInfo(timePrefix: String, logPrefix: String, message: String) { lines += 1 }
    func logNetwork(timePrefix: String, logPrefix: String, message: String) { lines += 1 }
    func logWarning(timePrefix: String, logPrefix: String, message: String) { lines += 1 }
    func logError(timePrefix: String, logPrefix: String, message: String) { lines += 1 }
}

final class AppDetector: JailbreakDetector {
    func analyze() -> Double { 0.5 }
}

final class AppHistory: FRHistory {
    let queue = DispatchQueue(label: "history")
    var enableHistory = true
    private(set) var logHistory: [String] = ["started"]
}

final class AppSessionHandler: NSObject, FRURLSessionHandlerProtocol {
    private(set) var challenges = 0

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenges += 1
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Calls each class of the app as PushBridge does: compiles only if their members are not isolated.
nonisolated func callAll() -> [Bool] {
    let storage = AppStorage()
    let policy = AppPolicy()
    policy.data = 1
    let logger = AppLogger()
    logger.logInfo(timePrefix: "", logPrefix: "", message: "")
    let request = AppInterceptor().intercept(
        request: Request(url: "https://am.example.com", method: .GET),
        action: Action(type: .PUSH_REGISTER)
    )
    let history = AppHistory()
    let handler = AppSessionHandler()
    return [
        history.queue.sync { history.enableHistory ? history.logHistory : [] } == ["started"],
        handler.challenges == 0,
        storage.isEmpty(), storage.getAllAccounts().isEmpty, policy.evaluate(), logger.lines == 1,
        AppDetector().analyze() == 0.5, request.url == "https://am.example.com",
    ]
}

@Suite("An app whose default isolation is the main actor")
struct MainActorAppTests {
    @Test func theAppsClassesAreCalledOnAnyThread() async {
        let results = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Thread.isMainThread ? [] : callAll())
            }
        }
        #expect(results == [Bool](repeating: true, count: 8))
    }

    /// The evaluator calls the app's policy on the thread of its caller.
    @Test func aPolicyOfTheAppIsEvaluatedOffTheMainThread() async throws {
        let complies = await withCheckedContinuation { (continuation: CheckedContinuation<Bool?, Never>) in
            DispatchQueue.global().async { continuation.resume(returning: evaluateOnThisThread()) }
        }
        #expect(complies == true)
    }
}

nonisolated func evaluateOnThisThread() -> Bool? {
    guard !Thread.isMainThread else { return nil }
    let evaluator = FRAPolicyEvaluator()
    do {
        try evaluator.registerPolicies(policies: [AppPolicy()])
    } catch {
        return nil
    }
    let policies = Data(#"{"app":{"a":1}}"#.utf8).base64EncodedString()
    guard let url = URL(string: "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&policies=\(policies)") else {
        return nil
    }
    return evaluator.evaluate(uri: url).comply
}
