#import "FRAuthenticator-Swift.h"

@interface Own : Account <FRAPolicy> //= Account, FRAPolicy
@property (nonatomic) Account *account; //= Account
@end

@implementation Own
- (int)evaluate { return 1; } //= FRAPolicy.evaluate
- (void)lockWithPolicy:(id)policy { [super lockWithPolicy:policy]; } //= Account.lock, Account.lock
@end

@interface Account (App) //= Account
- (void)show;
@end

@implementation Account (App) //= Account
- (void)show { self.displayIssuer = self.issuer; } //= Account.displayIssuer, Account.issuer
@end

void use(Account *account, PushNotification *push, PushType type) { //= Account, PushNotification, PushType
    [FRAClient start]; //= FRAClient, FRAClient.start
    [FRAClient.shared getAllAccounts]; //= FRAClient, FRAClient.shared, FRAClient.getAllAccounts
    [[FRAClient shared] removeAccountWithAccount:account]; //= FRAClient, FRAClient.shared, FRAClient.removeAccount
    account.displayIssuer = [account issuer]; //= Account.displayIssuer, Account.issuer
    [account setDisplayIssuer:account]; //= Account.displayIssuer
    if (type == PushTypeChallenge) [account show]; //= PushType.challenge
    [push acceptOnSuccess:^{} onError:^(id error) {}]; //= PushNotification.accept
}
