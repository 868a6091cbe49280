import FRAuthenticator
import PingPush
import Testing

#if compiler(>=6.3)
/// A file that imports both APIs chooses one of two equal names with a module selector.
@Test func aModuleSelectorChoosesOneOfTwoTypesWithTheSameName() {
    let types: [any Any.Type] = [PingPush::PushNotification.self, FRAuthenticator::PushNotification.self]
    #expect(types.map { $0 is AnyClass } == [false, true])
}
#endif
