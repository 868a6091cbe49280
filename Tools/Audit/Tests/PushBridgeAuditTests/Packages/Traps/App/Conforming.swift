// swift-format-ignore-file
import FRAuthenticator
import FRCore

struct Disk: StorageClient {  //= StorageClient
    func setAccount(account: Account) -> Bool { account.lock }  //= StorageClient.setAccount(account:), Account, Account.lock
    func getAllAccounts() -> [Account] { [] }  //= StorageClient.getAllAccounts(), Account
    func getAllAccounts(_ sorted: Bool) -> [Int] { [] }
}

class Base {
    func setAccount(account: Account) -> Bool { false }  //= StorageClient.setAccount(account:), Account
    var isEmpty: Bool { true }
}

final class Derived: Base, StorageClient {  //= StorageClient
    func getAllAccounts() -> [Account] { [] }  //= StorageClient.getAllAccounts(), Account
    override var isEmpty: Bool { false }  //= StorageClient.isEmpty
}

protocol Extra: StorageClient { func setAccount(account: Account) -> Bool }  //= StorageClient, StorageClient.setAccount(account:), Account
extension Extra { func getAllAccounts() -> [Account] { [] } }  //= StorageClient.getAllAccounts(), Account

final class Logger: FRALogger {  //= FRALogger
    typealias Line = String  //= FRALogger.Line
    static let level = 1  //= FRALogger.level
    func log(_ line: String) {}  //= FRALogger.log(_:)
    init() {}  //= FRALogger.init()
}

final class Handler2: FRAPushHandler {  //= FRAPushHandler
    var extra = 0
    required init() { super.init() }  //= FRAPushHandler.init(), FRAPushHandler.init()
    override var deviceToken: String? { super.deviceToken }  //= FRAPushHandler.deviceToken, FRAPushHandler.deviceToken
    override func application(_ name: String, didRegister token: [UInt8]) { super.application(name, didRegister: token) }  //= FRAPushHandler.application(_:didRegister:), FRAPushHandler.application(_:didRegister:)
    func other() { application("", didRegister: []); _ = deviceToken }
}

class Sub: Account {  //= Account
    override func lock(policy: any FRAPolicy) { issuer = self.issuer }  //= Account.lock(policy:), FRAPolicy
    override var issuer: String { didSet { _ = displayIssuer } willSet { _ = lock } }  //= Account.issuer, Account.displayIssuer, Account.lock
}

func compare(_ a: Account, _ b: Account, _ c: OathTokenCode) -> Bool {  //= Account, Account, OathTokenCode
    let x = a == b  //= Account.==(_:_:)
    let y = a < b  //= Account.<(_:_:)
    _ = a[0]?.issuer  //= Account.subscript(_:), Mechanism.issuer
    _ = [a, b].sorted(by: <)  //= Account.<(_:_:)
    _ = [a].contains(b)
    _ = a != b
    _ = c == c
    return x && y && a === b
}

infix operator <+>: AdditionPrecedence
func <+> (_ a: Account, _ b: Account) -> Account { a.issuer == b.issuer ? a : b }  //= Account, Account, Account, Account.issuer, Account.issuer
prefix func ! (_ a: Account) -> Bool { a.lock }  //= Account, Account.lock
func plus(_ a: Account) { _ = a <+> Account() <+> a; _ = !a }  //= Account, Account.init()

#if canImport(FRAuthenticator)
func can() { FRAClient.start() }  //= FRAClient, FRAClient.start()
#else
func can() { FRAClient.start() }
#endif
#if os(iOS)
func ios() { FRAClient.start() }
#elseif swift(>=5) && !DEBUGGING
func ios() { FRAClient.start() }  //= FRAClient, FRAClient.start()
#endif

func defaults2(_ make: () -> Account = { Account() }, _ t: PushType = .default, policy: (any FRAPolicy)? = nil) {}  //= Account, Account.init(), PushType, PushType.default, FRAPolicy
func callsDefaults() { defaults2(); defaults2(t2()) }
func t2() -> () -> Account { Account.init }  //= Account, Account, Account.init()

enum Wrapped { case account(Account), push(PushNotification, Int = 1); indirect case more(Wrapped) }  //= Account, PushNotification
func unwrap(_ w: Wrapped) -> String? { if case .account(let a) = w { a.issuer } else { nil } }  //= Account.issuer
@available(*, deprecated, message: "Account.issuer") func old(_: Account) {}  //= Account
let global = FRAClient.shared  //= FRAClient, FRAClient.shared
var globalComputed: Account { get { Account() } set { newValue.issuer = "" } }  //= Account, Account.init(), Account.issuer
func opaque() -> some StorageClient { Disk() }  //= StorageClient
func boxes() -> [any StorageClient & Sendable] { [] }  //= StorageClient
func tupled() -> (Account, b: Mechanism) { (Account(), Mechanism()) }  //= Account, Mechanism, Account.init(), Mechanism.init()
func autoclosed(_ a: @autoclosure () -> Account) {}  //= Account
func callAuto() { autoclosed(Account()) }  //= Account.init()
func pathsIn(_ list: [TOTPMechanism]) {  //= TOTPMechanism
    _ = list.map(\.issuer)  //= Mechanism.issuer
    _ = list.map(\.mechanismUUID.count)  //= Mechanism.mechanismUUID
    let p: ReferenceWritableKeyPath<Mechanism, String> = \.issuer  //= Mechanism, Mechanism.issuer
    list.first?[keyPath: p] = ""
    _ = \[PushMechanism].first?.notifications[0].message?.count  //= PushMechanism, PushMechanism.notifications, PushNotification.message
    _ = \TOTPMechanism.self  //= TOTPMechanism
}
