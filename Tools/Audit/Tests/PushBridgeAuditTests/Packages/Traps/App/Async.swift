// swift-format-ignore-file
import FRAuthenticator
import FRCore

actor Keeper {
    var accounts: [Account] = []  //= Account
    let client = { FRAClient.shared }()  //= FRAClient, FRAClient.shared
    func load() async -> Int {
        accounts = await Task { () -> [Account] in FRAClient.shared?.getAllAccounts() ?? [] }.value  //= Account, FRAClient, FRAClient.shared, FRAClient.getAllAccounts()
        return accounts.filter { !$0.lock }.count  //= Account.lock
    }
    nonisolated func answer(_ push: PushNotification) async throws {  //= PushNotification
        try await withCheckedThrowingContinuation { (going: CheckedContinuation<Void, any Error>) in
            push.accept(onSuccess: { going.resume() }, onError: { going.resume(throwing: $0) })  //= PushNotification.accept(onSuccess:onError:)
        }
    }
}

func both(_ push: PushNotification) async throws -> Bool {  //= PushNotification
    async let first: Bool = { push.isPending }()  //= PushNotification.isPending
    let closure: @Sendable (TOTPMechanism) async throws -> OathTokenCode = { try $0.generateCode() }  //= TOTPMechanism, OathTokenCode, TOTPMechanism.generateCode()
    _ = closure
    for await text in AsyncStream<String>(unfolding: { Account().issuer }) { Log.i(text) }  //= Account.init(), Account.issuer, Log, Log.i(_:)
    return await first
}

func patterns(_ any: Any, _ error: any Error, _ type: PushType) -> String {  //= PushType
    if let account = any as? Account, any is Mechanism { return account.issuer }  //= Account, Mechanism, Account.issuer
    if let error = error as? MechanismError, case .alreadyExists(let id) = error { return id }  //= MechanismError, MechanismError.alreadyExists(_:)
    switch type {
    case .default: return PushType.default.rawValue  //= PushType.default, PushType, PushType.default
    case .challenge, .biometric: break  //= PushType.challenge, PushType.biometric
    }
    switch (type, error) {
    case (.challenge, MechanismError.invalidQRCode): return ""  //= PushType.challenge, MechanismError, MechanismError.invalidQRCode
    default: break
    }
    let types: [PushType] = [.default, .init(rawValue: "x") ?? .biometric]  //= PushType, PushType.default, PushType.init(rawValue:), PushType.biometric
    let made: Account = .init()  //= Account, Account.init()
    let meta = FRAPushHandler.init()  //= FRAPushHandler, FRAPushHandler.init()
    _ = PushType.allCases.map(\.rawValue)  //= PushType
    return made.issuer + "\(types) \("\(meta.deviceToken ?? "")")"  //= Account.issuer, FRAPushHandler.deviceToken
}

func kind(_ handler: FRAPushHandler) -> FRAPushHandler.Type {  //= FRAPushHandler, FRAPushHandler
    let kind = type(of: FRAPushHandler.shared)  //= FRAPushHandler, FRAPushHandler.shared
    _ = kind.init()  //= FRAPushHandler.init()
    return kind
}

func columns(_ a: Account, _ b: Account) {  //= Account, Account
	_ = "😀é" + a.issuer + b.issuer; _ = a.issuer; _ = a.lock ? a . issuer : b  //= Account.issuer, Account.issuer, Account.issuer, Account.lock, Account.issuer
        .issuer  //= Account.issuer
    /* Account.issuer */ _ = "Account.issuer"  // Account().issuer
    _ = `a`.`issuer`  //= Account.issuer
    var list = [a]
    list[0].issuer = b.issuer  //= Account.issuer, Account.issuer
    swap(&list[0].issuer, &a.issuer)  //= Account.issuer, Account.issuer
    (a.issuer, b.issuer) = ("", "")  //= Account.issuer, Account.issuer
    guard let self = Optional(a) else { return }
    _ = self.issuer  //= Account.issuer
    let code = { [weak a, issuer = b.issuer] in (a?.issuer ?? "") + issuer }  //= Account.issuer, Account.issuer
    _ = code
}
