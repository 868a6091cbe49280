// swift-format-ignore-file
import FRAuthenticator
import FRCore

extension FRAPolicyEvaluator.Result {  //= FRAPolicyEvaluator, FRAPolicyEvaluator.Result
    struct Shown { var comply = false }
    var shown: Shown { Shown(comply: comply) }  //= FRAPolicyEvaluator.Result.comply
    static var none: Self? { nil }
}

extension Request.HTTPMethod: CustomStringConvertible {  //= Request, Request.HTTPMethod
    public var description: String { rawValue }
    static let own: Request.HTTPMethod = .POST  //= Request, Request.HTTPMethod, Request.HTTPMethod.POST
}

extension Account {  //= Account
    enum Mood { case good, bad }
    class Inner { let account = Account(); var issuer: String { account.issuer } }  //= Account.init(), Account.issuer
    struct Outer { struct Deep { var all: [Account] = [] } }  //= Account
    typealias Own = Mechanism  //= Mechanism
    static func make() -> Self? { nil }
    fileprivate convenience init(own other: Own) {  //= Mechanism as Own
        self.init()  //= Account.init()
        issuer = other.issuer  //= Account.issuer, Mechanism.issuer
    }
}

func nested(_ mood: Account.Mood, _ deep: Account.Outer.Deep, _ own: Account.Own) {  //= Account, Account, Account, Mechanism as Own
    _ = deep.all.first?.issuer  //= Account.issuer
    _ = Account(own: own)  //= Account
    _ = Account.Inner().issuer  //= Account
    _ = Account.make()  //= Account
    _ = Request.HTTPMethod.own.description  //= Request, Request.HTTPMethod
}

typealias A = Account  //= Account
typealias B = A  //= Account as A
typealias C = B  //= Account as B
typealias D = C?  //= Account as C
typealias E<T> = [T: C] where T: Hashable  //= Account as C
typealias Evaluation = FRAPolicyEvaluator.Result  //= FRAPolicyEvaluator, FRAPolicyEvaluator.Result
typealias Done = SuccessCallback  //= SuccessCallback
typealias Both = StorageClient & AnyObject  //= StorageClient
typealias Alone<T> = Account  //= Account

func aliases(_ c: C, _ d: D, _ e: E<Int>, _ done: @escaping Done, _ f: Evaluation, _ g: Alone<Int>) -> C {  //= Account as C, SuccessCallback as Done, FRAPolicyEvaluator.Result as Evaluation, Account as Alone, Account as C
    typealias Local = C  //= Account as C
    let x: Local = C()  //= Account.init() as C
    let y = Local.init()  //= Account.init()
    done()
    return f.comply && d?.lock == true ? y : e[0] ?? x  //= FRAPolicyEvaluator.Result.comply, Account.lock
}

extension C { var viaAlias: String { issuer } }  //= Account as C, Account.issuer
class ViaAlias: C { override var identifier: String { super.identifier } }  //= Account as C, Account.identifier, Account.identifier

protocol HasModel {
    associatedtype Model = Account  //= Account
    func model() -> Model
}
struct Has: HasModel {
    typealias Model = C  //= Account as C
    func model() -> Model { C() }  //= Account as Model, Account.init() as C
}
struct Has2: HasModel { func model() -> Account { Account() } }  //= Account, Account.init()
extension HasModel where Model == Account { var one: String { model().issuer } }  //= Account, Account.issuer
func model<T: HasModel>(_ t: T) -> String where T.Model: Account { t.model().issuer }  //= Account, Account.issuer
