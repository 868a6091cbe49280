import FRCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
import Security
#endif

// This file uses every public declaration of FRCore 4.9.1, each with the type that it has in that version.
// The test is that this file compiles in both language modes.

struct OwnError: FRError {}

func coreErrors(_ network: NetworkError, _ data: Data?, _ response: URLResponse?, _ cause: Error?) {
    let _: [String: Any] = OwnError().buildErrorUserInfo(errorMessage: "", additionalInfo: nil)
    let _: [NetworkError] = [
        .invalidResponseDataType, .invalidRequest(""), .apiRequestFailure(data, response, cause),
    ]
    let _: (String, Int, [String: Any]) = (NetworkError.errorDomain, network.errorCode, network.errorUserInfo)
    let security = SecurityError.failToExtractPublicKey
    let _: (Int, [String: Any]) = (security.errorCode, security.errorUserInfo)
    let _: String = SecurityError.errorDomain
    let _: [FRError] = [OwnError(), network, security]
}

func keychain(_ url: URL, _ secured: SecuredKey?) {
    var service = KeychainService(service: "a")
    service = KeychainService(service: "a", securedKey: secured)
    service = KeychainService(service: "a", accessGroup: "g")
    service = KeychainService(service: "a", accessGroup: "g", securedKey: secured)
    var options = KeychainOptions(service: "a")
    options = KeychainOptions(service: "a", accessGroup: "g")
    options = KeychainOptions(url: url)
    options.service = "b"
    options.accessGroup = nil
    options.url = nil
    options.synchronizable = false
    options.accessibility = .afterFirstUnlock
    options.matchLimit = options.matchLimit + ""
    service = KeychainService(options: options, securedKey: nil)
    service.options = options
    let _: String = service.debugDescription
    service.set("text" as String?, key: "k")
    service.set(nil, key: "k")
    service.set(true, key: "k")
    service.set(Data(), key: "k")
    let _: (String?, Bool?, Data?) = (service.getString("k"), service.getBool("k"), service.getData("k"))
    let _: [String: Any]? = service.allItems()
    service.delete("k")
    service.deleteAll()
    let _: [Bool] = [service.set("", key: "k"), service.delete("k"), service.deleteAll()]
    let _: Bool = KeychainService.validateAccessGroup(service: "a", accessGroup: "g")
    let _: String? = KeychainService.getAppleTeamId()
    let _: [KeychainAccessibility] = [
        .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .whenUnlocked, .whenUnlockedThisDeviceOnly,
        .whenPasscodeSetThisDeviceOnly, .alwaysThisDeviceOnly,
    ]
    let _: [String] = [options.accessibility.description, options.accessibility.rawValue]
    let _: KeychainAccessibility? = KeychainAccessibility(rawValue: "ck")
    #if canImport(Security)
    let _: (SecCertificate, String) -> Bool = service.setCertificate(_:label:)
    let _: (String) -> SecCertificate? = service.getCertificate
    let _: (String) -> SecIdentity? = service.getIdentities
    let _: (SecKey, String) -> Bool = service.setRSAKey(_:applicationTag:)
    let _: (String) -> SecKey? = service.getRSAKey
    #endif
}

func securedKey() {
    let _: Bool = SecuredKey.isAvailable()
    let _: SecuredKey? = SecuredKey(applicationTag: "t")
    let key: SecuredKey? = SecuredKey(applicationTag: "t", accessGroup: nil, accessibility: .afterFirstUnlock)
    let _: Data? = key?.encrypt(data: Data())
    let _: Data? = key?.decrypt(
        data: Data(),
        secAlgorithm: .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    )
}

class OwnLogger: FRLogger, FRHistory {
    let queue = DispatchQueue(label: "log")
    var enableHistory = true
    var logHistory: [String] = []
    func logVerbose(timePrefix: String, logPrefix: String, message: String) { logHistory.append(message) }
    func logInfo(timePrefix: String, logPrefix: String, message: String) { logHistory.append(message) }
    func logNetwork(timePrefix: String, logPrefix: String, message: String) { logHistory.append(message) }
    func logWarning(timePrefix: String, logPrefix: String, message: String) { logHistory.append(message) }
    func logError(timePrefix: String, logPrefix: String, message: String) { logHistory.append(message) }
}

func coreLog() {
    Log.setCustomLogger(OwnLogger())
    let _: (String, NSObject.Type) = (Log.sdkVersion, Log.self)
    Log.setLogLevel(.all)
    Log.setLogLevel([.warning, .error])
    Log.v("a")
    Log.i("a", false, module: "m")
    Log.w("a", nil, module: nil, file: "f", line: 1, function: "g")
    Log.e("a", module: "m")
    let _: [(String, Bool?, String?, String, Int, String) -> Void] = [
        Log.v(_:_:module:file:line:function:), Log.i(_:_:module:file:line:function:),
        Log.w(_:_:module:file:line:function:),
    ]
    let _: (String, String?, String, Int, String) -> Void = Log.e(_:module:file:line:function:)
}

/// Returns the raw value of each level, and then the raw value of a set of levels.
public func logLevels() -> [Int] {
    var level = LogLevel()
    let _: NSObject = level
    level.rawValue = 0
    level.formUnion(LogLevel(logs: [.info, .error]))
    level.formIntersection(LogLevel(rawValue: 1 << 2))
    level.formSymmetricDifference(.network)
    level.insert(.verbose)
    let expected: LogLevel = [.verbose, .info, .network]
    let isSame: Bool = level == expected && level.isEqual(expected) && level.hash == expected.hash
    let raw: LogLevel.RawValue = isSame ? level.rawValue : 0
    let all: [LogLevel] = [.none, .verbose, .info, .network, .warning, .error, .all]
    return all.map(\.rawValue) + [raw]
}

func pinning(_ session: URLSession, _ challenge: URLAuthenticationChallenge, _ task: URLSessionTask) {
    let configuration = FRSecurityConfiguration(hashes: ["AAAA"])
    let _: NSObject = configuration
    configuration.validateSessionAuthChallenge(session: session, challenge: challenge) { _, _ in }
    configuration.validateTaskAuthChallenge(session: session, task: task, challenge: challenge) { _, _ in }
    let handler = FRURLSessionSSLPinningHandler(frSecurityConfiguration: configuration)
    let _: FRURLSessionHandler = FRURLSessionSSLPinningHandler(frSecurityConfiguration: nil)
    handler.urlSession(session, didReceive: challenge) { _, _ in }
    handler.urlSession(session, task: task, didReceive: challenge) { _, _ in }
    RestClient.shared.setURLSessionConfiguration(config: nil, handler: handler)
    let _: URLSession = URLSession(configuration: .ephemeral, delegate: handler, delegateQueue: nil)
}

nonisolated class OwnHandler: FRURLSessionHandler {  // for main-actor apps
    var count = 0

    override func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        count += 1
        super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    override func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        count += 1
        super.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
}

class HandlerFromScratch: NSObject, FRURLSessionHandlerProtocol {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }
}

func requests() {
    var request = Request(url: "https://am.example.com", method: .GET)
    let copy = request
    request.updateHeader(headers: ["a": "b"])
    request = Request(
        url: copy.url,
        method: .POST,
        headers: copy.headers,
        bodyParams: copy.bodyParams,
        urlParams: copy.urlParams,
        requestType: .urlEncoded,
        responseType: nil,
        timeoutInterval: 30
    )
    let _: [Request.ContentType] = [.plainText, .json, .urlEncoded, request.requestType]
    let _: [Request.HTTPMethod] = [.GET, .PUT, .POST, .DELETE, request.method]
    let _: Request.ContentType? = request.responseType
    let _: (String, [String: String], [String: Any]) = (request.url, request.headers, request.bodyParams)
    let _: ([String: String], Double) = (request.urlParams, request.timeoutInterval)
    let _: URLRequest? = request.build()
    let _: Bool = "https://am.example.com".isValidUrl
}

class OwnInterceptor: RequestInterceptor {
    func intercept(request: Request, action: Action) -> Request {
        var changed = request
        if action.type == ActionType.PUSH_REGISTER.rawValue { changed.updateHeader(headers: ["a": "b"]) }
        return changed
    }
}

nonisolated class OwnRegistry: RequestInterceptorRegistry {
    var count = 0
}

/// In the SDK, the protocols of these properties are limited to classes, so that an app can hold the objects weakly.
final class WeakHolder {
    weak var logger: FRLogger?
    weak var history: FRHistory?
    weak var detector: JailbreakDetector?
}

func interceptors() {
    let action = Action(type: .START_AUTHENTICATE)
    let _: Action = Action(type: .DELETE_BINDING, payload: ["a": 1])
    let _: (String, [String: Any]?) = (action.type, action.payload)
    let _: [ActionType] = [
        .START_AUTHENTICATE, .AUTHENTICATE, .RESUME_AUTHENTICATE, .AUTHORIZE, .EXCHANGE_TOKEN, .REFRESH_TOKEN,
        .REVOKE_TOKEN, .LOGOUT, .PUSH_REGISTER, .PUSH_AUTHENTICATE, .PUSH_UPDATE, .USER_INFO, .END_SESSION,
        .DELETE_BINDING,
    ]
    let registry: RequestInterceptorRegistry = OwnRegistry()
    registry.registerInterceptors(interceptors: [OwnInterceptor()])
    RequestInterceptorRegistry.shared.registerInterceptors(interceptors: nil, shouldOverride: false)
}

func exchanges(_ data: Data?, _ response: URLResponse?, _ error: Error?, _ request: Request) {
    let result: Result = Response(data: data, response: response, error: error).parseReponse()
    switch result {
    case .success(result: let members, httpResponse: let response):
        let _: ([String: Any], URLResponse?) = (members, response)
    case .failure(error: let error):
        let _: Error = error
    }
    let callback: ResultCallback = { (result: Result) in _ = result }
    let client: RestClient = RestClient.shared
    let _: NSObject = client
    client.invoke(request: request, completion: callback)
    client.invoke(request: request, action: Action(type: .LOGOUT), completion: callback)
    let _: Result = client.invokeSync(request: request)
    let _: Result = client.invokeSync(request: request, action: nil)
    client.setURLSessionConfiguration(config: URLSessionConfiguration.default)
    client.setURLSessionConfiguration(config: nil, handler: OwnHandler())
    client.setURLSessionConfiguration(config: nil, handler: nil)
}

class OwnDetector: JailbreakDetector {
    func analyze() -> Double { 0 }
}

func detectors() {
    let detectors: [JailbreakDetector] = [
        AptDetector(), BashDetector(), CydiaDetector(), CydiaSubstrateDetector(), DyldDetector(),
        PrivateFileWritableDetector(), RestrictedDirectoriesWritableDetector(), SSHDetector(),
        SandboxDetector(), SandboxRestrictedFilesAccessable(), SuspiciousFilesAccessibleDetector(),
        SuspiciousFilesExistenceDetector(), SuspiciousObjCClassesDetector(), SymbolicLinkDetector(),
        URLSchemeDetector(), OwnDetector(),
    ]
    let detector: FRJailbreakDetector = FRJailbreakDetector.shared
    let own: NSObject = FRJailbreakDetector()
    detector.detectors = detectors + detector.detectors
    let _: (Double, NSObject) = (detector.analyze(), own)
}

func helpers(_ data: Data, _ bytes: [UInt8], _ text: String, _ part: Substring, _ url: URL) {
    let _: ([UInt8], Data, String) = (data.bytesArray, data.sha256, bytes.toHexString())
    let _: [String?] = [text.base64Encoded(), text.base64URLSafeEncoded(), text.base64Decoded()]
    let _: [Data?] = [text.decodeURL(), text.decodeBase64(), text.sha256]
    let _: [String] = [text.base64Pad(), text.urlSafeDecoding(), text.urlSafeEncoding()]
    let _: (Bool, [UInt8], [String]?) = (text.isBase64Encoded(), text.bytes, text.extractRecoveryCodes())
    let _: (Data, [UInt8]) = (part.hexData, text.hexBytes)
    let _: [Bool] = [url.isSame(url), url.isSame(url, shouldCheckPath: false)]
    let _: String? = url.valueOf("name")
}
