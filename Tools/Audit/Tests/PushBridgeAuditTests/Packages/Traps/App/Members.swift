// swift-format-ignore-file
import FRAuthenticator
import FRCore

class Office: FRAPolicy {  //= FRAPolicy
    var name: String { "office" }  //= FRAPolicy.name
    func evaluate() -> Bool { true }  //= FRAPolicy.evaluate()
}

class Strict: BiometricAvailablePolicy {  //= BiometricAvailablePolicy
    override func evaluate() -> Bool { super.evaluate() && twiceStrict() }  //= BiometricAvailablePolicy.evaluate(), BiometricAvailablePolicy.evaluate()
    func twiceStrict() -> Bool { self.evaluate() }
}

class Stricter: Strict {
    override func evaluate() -> Bool { name.isEmpty }  //= BiometricAvailablePolicy.name
}

typealias Rule = FRAPolicy  //= FRAPolicy

protocol Named {}

final class Late {
    let name = "late"  //= FRAPolicy.name
}

extension Late: Rule, Named {  //= FRAPolicy as Rule
    func evaluate() -> Bool { false }  //= FRAPolicy.evaluate()
}

protocol OwnPolicy: FRAPolicy {}  //= FRAPolicy

struct Header: RequestInterceptor {  //= RequestInterceptor
    func intercept(request: Request, action: Action) -> Request {  //= RequestInterceptor.intercept(request:action:), Request, Action, Request
        var request = request
        request.updateHeader(headers: ["x": action.type])  //= Request.updateHeader(headers:), Action.type
        _ = Request(url: "", method: .GET)  //= Request.init(url:method:), Request.HTTPMethod.GET
        return request
    }
}

func inherited(_ push: PushMechanism) {  //= PushMechanism
    _ = push.mechanismUUID  //= Mechanism.mechanismUUID
    push.issuer = "x"  //= Mechanism.issuer
    push.issuer += "y"  //= Mechanism.issuer
    _ = Strict().evaluate()
    _ = Office().name
    _ = Stricter().name  //= BiometricAvailablePolicy.name
}

func keyPaths(_ list: [PushMechanism]) {  //= PushMechanism
    let path = \PushMechanism.issuer  //= PushMechanism, Mechanism.issuer
    _ = list.map { $0[keyPath: path] }
    _ = list.flatMap(\.notifications).filter(\.isPending)  //= PushMechanism.notifications, PushNotification.isPending
    _ = \Account.displayIssuer?.count  //= Account, Account.displayIssuer
}

func closures(_ push: PushNotification, _ isBad: Bool) {  //= PushNotification
    let done: SuccessCallback = {}  //= SuccessCallback
    push.accept(onSuccess: done) { error in  //= PushNotification.accept(onSuccess:onError:)
        if case MechanismError.invalidQRCode = error { push.deny(onSuccess: done, onError: { _ in }) }  //= MechanismError, MechanismError.invalidQRCode, PushNotification.deny(onSuccess:onError:)
    }
    push.accept(challengeResponse: "1", onSuccess: {}, onError: { _ in })  //= PushNotification.accept(challengeResponse:onSuccess:onError:)
    let all = FRAClient.shared.map { client in { client.getAllAccounts().map { $0.issuer } } }  //= FRAClient, FRAClient.shared, FRAClient.getAllAccounts(), Account.issuer
    _ = all?()
    let start = FRAClient.start  //= FRAClient, FRAClient.start()
    start()
    let make = Account.init  //= Account, Account.init()
    _ = make().lock  //= Account.lock
    do {
        throw MechanismError.alreadyExists("x")  //= MechanismError, MechanismError.alreadyExists(_:)
    } catch MechanismError.alreadyExists(let id) {  //= MechanismError, MechanismError.alreadyExists(_:)
        Log.i(id)  //= Log, Log.i(_:)
    } catch {}
    let text = "\(push.message ?? "") \(FRAPolicyEvaluator().evaluate(account: Account()).comply)"  //= PushNotification.message, FRAPolicyEvaluator.init(), FRAPolicyEvaluator.evaluate(account:), Account.init(), FRAPolicyEvaluator.Result.comply
    _ = text.isValidUrl  //= String.isValidUrl
}

func conditional() {
    #if EXTRA
    FRAClient.start()  //= FRAClient, FRAClient.start()
    #else
    _ = FRAClient.shared  //= FRAClient, FRAClient.shared
    #endif
    #if NEVER
    FRAClient.start()
    #endif
}

func defaults(_ account: Account = Account(), issuer: String = Account().issuer) {}  //= Account, Account.init(), Account.init(), Account.issuer

@propertyWrapper struct Stored {
    var wrappedValue: Account?  //= Account
}

struct Screen {
    @Stored var account: Account?  //= Account
    lazy var title = account?.issuer ?? ""  //= Account.issuer
    var client: FRAClient? { FRAClient.shared }  //= FRAClient, FRAClient, FRAClient.shared
    subscript(index: Int) -> Account? { client?.getAllAccounts()[index] }  //= Account, FRAClient.getAllAccounts()
}
