import FRAuthenticator
import FRCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(UIKit)
import UIKit
#endif

// An app hides the SDK behind protocols, so that its tests can use mocks. Each protocol declares the members of one
// class of SDK 4.9.1, and the class conforms to it. Initialisers are omitted unless they are `required`, because
// other initialisers cannot satisfy a protocol. The test is that this file compiles in both language modes.

protocol AppFRAClient: AnyObject {
    static var shared: FRAClient? { get set }
    static func start()
    static func setStorage(storage: StorageClient) throws
    static func setPolicyEvaluator(policyEvaluator: FRAPolicyEvaluator) throws
    func getAllAccounts() -> [Account]
    func getAccount(mechanism: Mechanism) -> Account?
    func getAccount(identifier: String) -> Account?
    func updateAccount(account: Account) throws -> Bool
    func removeAccount(account: Account) -> Bool
    func lockAccount(account: Account, policy: FRAPolicy) throws -> Bool
    func unlockAccount(account: Account) throws -> Bool
    func getMechanism(notification: PushNotification) -> PushMechanism?
    func removeMechanism(mechanism: Mechanism) -> Bool
    func getAllNotifications(mechanism: PushMechanism) -> [PushNotification]
    func getAllNotifications() -> [PushNotification]
    func getNotification(identifier: String) -> PushNotification?
    func removeNotification(notification: PushNotification) -> Bool
    func createMechanismFromUri(
        uri: URL,
        onSuccess: @escaping MechanismCallback,
        onError: @escaping ErrorCallback
    )
}

extension FRAClient: AppFRAClient {}

protocol AppAccount: AnyObject {
    var issuer: String { get }
    var accountName: String { get }
    var imageUrl: String? { get }
    var backgroundColor: String? { get }
    var timeAdded: Date { get }
    var policies: String? { get }
    var lockingPolicy: String? { get }
    var lock: Bool { get }
    var mechanisms: [Mechanism] { get }
    var identifier: String { get }
    var displayIssuer: String? { get set }
    var displayAccountName: String? { get set }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func lock(policy: FRAPolicy)
    func unlock()
    func toJson() -> String?
}

extension Account: AppAccount {}

protocol AppMechanism: AnyObject {
    var mechanismUUID: String { get }
    var type: String { get }
    var issuer: String { get }
    var accountName: String { get }
    var timeAdded: Date { get }
    var uid: String? { get }
    var resourceId: String? { get }
    var identifier: String { get }
    var accountIdentifier: String { get }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
}

extension Mechanism: AppMechanism {}

protocol AppOathMechanism: AnyObject {
    var digits: Int { get set }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
}

extension OathMechanism: AppOathMechanism {}

protocol AppHOTPMechanism: AnyObject {
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func generateCode() throws -> OathTokenCode
    func toJson() -> String?
}

extension HOTPMechanism: AppHOTPMechanism {}

protocol AppTOTPMechanism: AnyObject {
    var period: Int { get set }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func generateCode() throws -> OathTokenCode
    func toJson() -> String?
}

extension TOTPMechanism: AppTOTPMechanism {}

protocol AppOathTokenCode: AnyObject {
    var tokenType: String { get }
    var code: String { get }
    var start: TimeInterval { get }
    var until: TimeInterval? { get }
    var isValid: Bool { get }
    var progress: Float { get }
    func toJson() -> String?
}

extension OathTokenCode: AppOathTokenCode {}

protocol AppPushDeviceToken: AnyObject {
    var tokenId: String { get }
    var timeAdded: Date { get }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func toJson() -> String?
}

extension PushDeviceToken: AppPushDeviceToken {}

protocol AppPushMechanism: AnyObject {
    var notifications: [PushNotification] { get set }
    var pendingNotifications: [PushNotification] { get }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func toJson() -> String?
}

extension PushMechanism: AppPushMechanism {}

protocol AppPushNotification: AnyObject {
    var messageId: String { get }
    var mechanismUUID: String { get }
    var ttl: Double { get set }
    var timeAdded: Date { get set }
    var customPayload: String? { get }
    var message: String? { get }
    var pushType: PushType { get }
    var numbersChallenge: String? { get }
    var contextInfo: String? { get }
    var identifier: String { get }
    var isPending: Bool { get }
    var isExpired: Bool { get }
    var isApproved: Bool { get }
    var isDenied: Bool { get }
    var numbersChallengeArray: [Int]? { get }
    var timeExpired: Date { get }
    static var supportsSecureCoding: Bool { get }
    init?(coder: NSCoder)
    init(from decoder: Decoder) throws
    func encode(with coder: NSCoder)
    func encode(to encoder: Encoder) throws
    func accept(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback)
    func accept(
        challengeResponse: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    )
    func accept(
        title: String,
        allowDeviceCredentials: Bool,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    )
    func deny(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback)
    func toJson() -> String?
}

extension PushNotification: AppPushNotification {}

protocol AppBiometricAvailablePolicy: AnyObject {
    var name: String { get set }
    var data: Any? { get set }
    func evaluate() -> Bool
}

extension BiometricAvailablePolicy: AppBiometricAvailablePolicy {}

protocol AppDeviceTamperingPolicy: AnyObject {
    static var defaultThresholdScore: Double { get }
    var name: String { get set }
    var data: Any? { get set }
    func evaluate() -> Bool
}

extension DeviceTamperingPolicy: AppDeviceTamperingPolicy {}

protocol AppFRAPolicyEvaluator: AnyObject {
    static var defaultPolicies: [FRAPolicy] { get }
    var policies: [FRAPolicy]? { get }
    func registerPolicies(policies: [FRAPolicy], shouldOverride: Bool) throws
    func evaluate(uri: URL) -> FRAPolicyEvaluator.Result
    func evaluate(account: Account) -> FRAPolicyEvaluator.Result
    func isPolicyAttached(account: Account, policyName: String) -> Bool
}

extension FRAPolicyEvaluator: AppFRAPolicyEvaluator {}

protocol AppFRAPushHandler: AnyObject {
    static var shared: FRAPushHandler { get set }
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: Error
    )
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])
        -> PushNotification?
    var deviceToken: String? { get }
    func updateDeviceToken(
        mechanism: PushMechanism,
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    )
    func updateDeviceToken(
        deviceToken: String,
        onSuccess: @escaping SuccessCallback,
        onFailure: @escaping ErrorCallback
    )
    func clearDeviceToken()
}

extension FRAPushHandler: AppFRAPushHandler {}

protocol AppFRAPolicyEvaluatorResult {
    var comply: Bool { get }
    var nonCompliancePolicy: FRAPolicy? { get }
}

extension FRAPolicyEvaluator.Result: AppFRAPolicyEvaluatorResult {}

protocol AppKeychainService {
    init(service: String, securedKey: SecuredKey?)
    init(options: KeychainOptions, securedKey: SecuredKey?)
    init(service: String, accessGroup: String, securedKey: SecuredKey?)
    var options: KeychainOptions { get set }
    var debugDescription: String { get }
    func set(_ val: String?, key: String) -> Bool
    func getString(_ key: String) -> String?
    func set(_ val: Bool, key: String) -> Bool
    func getBool(_ key: String) -> Bool?
    func set(_ val: Data, key: String) -> Bool
    func getData(_ key: String) -> Data?
    func allItems() -> [String: Any]?
    func delete(_ key: String) -> Bool
    func deleteAll() -> Bool
    static func validateAccessGroup(service: String, accessGroup: String) -> Bool
    static func getAppleTeamId() -> String?
}

extension KeychainService: AppKeychainService {}

protocol AppKeychainOptions {
    init(service: String)
    init(service: String, accessGroup: String)
    init(url: URL)
    var service: String { get set }
    var accessGroup: String? { get set }
    var url: URL? { get set }
    var synchronizable: Bool { get set }
    var accessibility: KeychainAccessibility { get set }
    var matchLimit: String { get set }
}

extension KeychainOptions: AppKeychainOptions {}

protocol AppFRSecurityConfiguration: AnyObject {
    func validateSessionAuthChallenge(
        session: URLSession,
        challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func validateTaskAuthChallenge(
        session: URLSession,
        task: URLSessionTask,
        challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

extension FRSecurityConfiguration: AppFRSecurityConfiguration {}

protocol AppFRURLSessionHandler: AnyObject {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

extension FRURLSessionHandler: AppFRURLSessionHandler {}

protocol AppFRURLSessionSSLPinningHandler: AnyObject {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

extension FRURLSessionSSLPinningHandler: AppFRURLSessionSSLPinningHandler {}

protocol AppRequest {
    init(
        url: String,
        method: Request.HTTPMethod,
        headers: [String: String],
        bodyParams: [String: Any],
        urlParams: [String: String],
        requestType: Request.ContentType,
        responseType: Request.ContentType?,
        timeoutInterval: Double
    )
    var url: String { get }
    var method: Request.HTTPMethod { get }
    var headers: [String: String] { get }
    var bodyParams: [String: Any] { get }
    var urlParams: [String: String] { get }
    var responseType: Request.ContentType? { get }
    var requestType: Request.ContentType { get }
    var timeoutInterval: Double { get }
    mutating func updateHeader(headers: [String: String])
    func build() -> URLRequest?
}

extension Request: AppRequest {}

protocol AppAction {
    init(type: ActionType, payload: [String: Any]?)
    var type: String { get }
    var payload: [String: Any]? { get }
}

extension Action: AppAction {}

protocol AppRequestInterceptorRegistry: AnyObject {
    static var shared: RequestInterceptorRegistry { get }
    func registerInterceptors(interceptors: [RequestInterceptor]?, shouldOverride: Bool)
}

extension RequestInterceptorRegistry: AppRequestInterceptorRegistry {}

protocol AppResponse {
    init(data: Data?, response: URLResponse?, error: Error?)
    func parseReponse() -> Result
}

extension Response: AppResponse {}

protocol AppRestClient: AnyObject {
    static var shared: RestClient { get }
    func invoke(request: Request, action: Action?, completion: @escaping ResultCallback)
    func invokeSync(request: Request, action: Action?) -> Result
    func setURLSessionConfiguration(config: URLSessionConfiguration)
    func setURLSessionConfiguration(config: URLSessionConfiguration?, handler: FRURLSessionHandler?)
}

extension RestClient: AppRestClient {}

protocol AppFRJailbreakDetector: AnyObject {
    static var shared: FRJailbreakDetector { get }
    var detectors: [JailbreakDetector] { get set }
    func analyze() -> Double
}

extension FRJailbreakDetector: AppFRJailbreakDetector {}

protocol AppJailbreakDetector: AnyObject {
    func analyze() -> Double
}

extension AptDetector: AppJailbreakDetector {}
extension BashDetector: AppJailbreakDetector {}
extension CydiaDetector: AppJailbreakDetector {}
extension CydiaSubstrateDetector: AppJailbreakDetector {}
extension DyldDetector: AppJailbreakDetector {}
extension PrivateFileWritableDetector: AppJailbreakDetector {}
extension RestrictedDirectoriesWritableDetector: AppJailbreakDetector {}
extension SSHDetector: AppJailbreakDetector {}
extension SandboxDetector: AppJailbreakDetector {}
extension SandboxRestrictedFilesAccessable: AppJailbreakDetector {}
extension SuspiciousFilesAccessibleDetector: AppJailbreakDetector {}
extension SuspiciousFilesExistenceDetector: AppJailbreakDetector {}
extension SuspiciousObjCClassesDetector: AppJailbreakDetector {}
extension SymbolicLinkDetector: AppJailbreakDetector {}
extension URLSchemeDetector: AppJailbreakDetector {}

protocol AppLogLevel: AnyObject {
    static var none: LogLevel { get }
    static var verbose: LogLevel { get }
    static var info: LogLevel { get }
    static var network: LogLevel { get }
    static var warning: LogLevel { get }
    static var error: LogLevel { get }
    static var all: LogLevel { get }
    var rawValue: Int { get set }
    var hash: Int { get }
    init()
    init(rawValue: Int)
    func isEqual(_ object: Any?) -> Bool
    func formUnion(_ other: LogLevel)
    func formIntersection(_ other: LogLevel)
    func formSymmetricDifference(_ other: LogLevel)
}

extension LogLevel: AppLogLevel {}

protocol AppFRALog {
    static func setLogLevel(_ logLevel: LogLevel)
    static func v(_ message: String, _ includeCallStack: Bool?, file: String, line: Int, function: String)
    static func i(_ message: String, _ includeCallStack: Bool?, file: String, line: Int, function: String)
    static func w(_ message: String, _ includeCallStack: Bool?, file: String, line: Int, function: String)
    static func e(_ message: String, file: String, line: Int, function: String)
}

extension FRALog: AppFRALog {}

protocol AppLog: AnyObject {
    static var sdkVersion: String { get }
    static func setLogLevel(_ logLevel: LogLevel)
    static func setCustomLogger(_ logger: FRLogger)
    static func v(
        _ message: String,
        _ includeCallStack: Bool?,
        module: String?,
        file: String,
        line: Int,
        function: String
    )
    static func i(
        _ message: String,
        _ includeCallStack: Bool?,
        module: String?,
        file: String,
        line: Int,
        function: String
    )
    static func w(
        _ message: String,
        _ includeCallStack: Bool?,
        module: String?,
        file: String,
        line: Int,
        function: String
    )
    static func e(_ message: String, module: String?, file: String, line: Int, function: String)
}

extension Log: AppLog {}
